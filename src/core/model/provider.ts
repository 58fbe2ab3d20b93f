/** A package that is too large to come with the harness: people install it themselves. */
export interface OptionalPackage {
  /** What people call it. */
  readonly label: string;
  readonly packageName: string;
  /** The version that the harness is tested with. */
  readonly version: string;
}

/** What settings and rules have to know of a kind of agent; how it is driven is its adapter's business. */
export interface ProviderFacts {
  /** The package that drives it. Agents with one tell what they do as they do it, so their silence means something. */
  readonly sdk: OptionalPackage | null;
  /** An `agent.command` as an example, for providers that cannot do without one. */
  readonly command: string | null;
  /** How the names of its own models begin, the one that it works with, and the one for simple jobs. */
  readonly models: { readonly prefix: string; readonly usual: string; readonly simple: string } | null;
  /** Whether it may be anybody's agent inside, so that every model that was named is told to it. */
  readonly takesAnyModel: boolean;
  /** Levels of effort that it does not have. */
  readonly unknownEfforts: readonly Effort[];
}

export const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Effort = (typeof EFFORTS)[number];

const PLAIN = { sdk: null, command: null, models: null, takesAnyModel: false, unknownEfforts: [] } as const;

/** Every provider that a configuration may name; each has a folder of this name in `adapters/agents`. */
export const PROVIDER_FACTS = {
  scripted: PLAIN,
  command: { ...PLAIN, command: './agent.sh', takesAnyModel: true },
  claude: {
    ...PLAIN,
    sdk: { label: 'Claude Agent SDK', packageName: '@anthropic-ai/claude-agent-sdk', version: '0.3.325' },
    models: { prefix: 'claude', usual: 'claude-sonnet-4', simple: 'claude-haiku-3' },
    unknownEfforts: ['minimal'],
  },
  codex: {
    ...PLAIN,
    sdk: { label: 'Codex SDK', packageName: '@openai/codex-sdk', version: '0.163.0' },
  },
  acp: {
    ...PLAIN,
    sdk: { label: 'Agent Client Protocol SDK', packageName: '@agentclientprotocol/sdk', version: '2.4.0' },
    command: 'npx -y @agentclientprotocol/codex-acp',
  },
} as const satisfies Readonly<Record<string, ProviderFacts>>;

export type ProviderName = keyof typeof PROVIDER_FACTS;

export const PROVIDER_NAMES = Object.keys(PROVIDER_FACTS) as readonly ProviderName[];

export function getProviderFacts(name: ProviderName): ProviderFacts {
  return PROVIDER_FACTS[name];
}

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDER_FACTS, name);
}

/** A model goes to whoever makes it; one that nobody here makes may be anybody's. */
export function canHaveModel(provider: ProviderName, model: string): boolean {
  if (getProviderFacts(provider).takesAnyModel) return true;
  const maker = PROVIDER_NAMES.find(name => {
    const { models } = getProviderFacts(name);
    return models !== null && model.startsWith(models.prefix);
  });
  return maker === undefined || maker === provider;
}

/** Packages that drive agents: a project that has only these has nothing to install for its tests. */
export const AGENT_PACKAGES: ReadonlySet<string> = new Set([
  ...Object.values(PROVIDER_FACTS).flatMap(({ sdk }) => (sdk ? [sdk.packageName] : [])),
  '@harness-proof/harness',
]);
