/** Where people keep what an agent must not have, relative to their home folder. */
export const CREDENTIALS: readonly string[] = [
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.1password', '.vault-token', '.age', '.config/age'],
  ...['.config/sops', '.config/op', '.config/Bitwarden CLI', '.config/rbw', '.local/share/keyrings'],
  ...['.local/share/kwalletd', '.git-credentials', '.config/git/credentials', '.netrc', '.authinfo'],
  ...['.authinfo.gpg', '.config/gh', '.config/hub', '.config/glab-cli', '.config/tea', '.aws', '.azure'],
  ...['.config/gcloud', '.config/doctl', '.config/hcloud', '.config/linode-cli', '.oci', '.boto', '.s3cfg'],
  ...[
    '.config/rclone',
    '.config/scw',
    '.fly',
    '.config/netlify',
    '.config/vercel',
    '.local/share/com.vercel.cli',
  ],
  ...['.config/heroku', '.config/wrangler', '.wrangler', '.terraform.d', '.terraformrc', '.config/pulumi'],
  ...[
    '.pulumi',
    '.docker',
    '.kube',
    '.config/containers',
    '.config/helm',
    '.minikube',
    '.colima',
    '.orbstack',
  ],
  ...[
    '.pypirc',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.gem/credentials',
    '.config/composer/auth.json',
  ],
  ...[
    '.composer/auth.json',
    '.nuget/NuGet',
    '.m2/settings-security.xml',
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
  ],
  ...['.config/1Password', '.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium'],
  ...['.config/BraveSoftware', '.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.var/app'],
  ...[
    'snap/firefox',
    'snap/chromium',
    '.config/Slack',
    '.config/discord',
    '.config/Signal',
    '.config/Code/User',
  ],
  ...[
    '.Xauthority',
    '.ICEauthority',
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.node_repl_history',
  ],
  ...['.psql_history', '.mysql_history', '.local/share/fish'],
];

/** Settings that are useful to have, and hidden only when a secret is found in them. */
export const SETTINGS_WITH_SECRETS: readonly string[] = [
  ...['.gitconfig', '.config/git/config', '.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.curlrc'],
  ...['.wgetrc', '.pip/pip.conf', '.config/pip/pip.conf', '.config/uv/uv.toml', '.cargo/config'],
  ...['.cargo/config.toml', '.gradle/gradle.properties', '.m2/settings.xml', '.bundle/config', '.condarc'],
  ...['.profile', '.bash_profile', '.bashrc', '.zshrc', '.zshenv', '.zprofile', '.config/fish/config.fish'],
];

/** Files of the machine that only root can read; hidden when we are root. */
export const MACHINE_SECRETS: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/ssl/private', '/etc/sudoers'],
  ...['/etc/sudoers.d', '/etc/kubernetes', '/etc/docker', '/etc/wireguard', '/etc/NetworkManager'],
  ...['/etc/krb5.keytab', '/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/rancher'],
  ...['/var/spool/cron', '/var/log/journal', '/etc/letsencrypt'],
];

/** An agent's own folder: its login, and what it needs to write to go on with an earlier session. */
export interface AgentHome {
  readonly folders: readonly string[];
  /** Written back to the real place. */
  readonly writable: readonly string[];
  /** Given as a copy: what the agent changes there is gone afterwards. */
  readonly copied: readonly string[];
}

/**
 * By provider. Settings, hooks and MCP servers in these folders are never writable: what an agent puts
 * there would run outside the sandbox the next time its owner starts the same agent by hand.
 */
export const AGENT_HOMES: Readonly<Record<string, AgentHome>> = {
  claude: {
    folders: ['.claude'],
    writable: ['.claude/.credentials.json', '.claude/projects', '.claude/todos', '.claude/sessions'],
    copied: ['.claude.json'],
  },
  codex: { folders: ['.codex'], writable: ['.codex/auth.json', '.codex/sessions'], copied: [] },
  gemini: { folders: ['.gemini'], writable: ['.gemini/oauth_creds.json', '.gemini/tmp'], copied: [] },
  opencode: {
    folders: ['.config/opencode', '.local/share/opencode'],
    writable: ['.local/share/opencode'],
    copied: [],
  },
  copilot: { folders: ['.copilot', '.config/github-copilot'], writable: [], copied: [] },
  cursor: { folders: ['.cursor', '.config/cursor'], writable: [], copied: [] },
};

/** Whether a settings file holds something that should not be read by an agent. */
export function hasSecret(text: string): boolean {
  return SECRET.test(text);
}

const SECRET =
  /(?:auth_?token|_auth|_password|passw(?:or)?d|secret|api[_-]?key|access[_-]?key|extra-?header|private[_-]?token|(?:gh[pousr]|github_pat|glpat|xox[abp]|sk|npm)[_-][A-Za-z0-9]|:\/\/[^/\s:@]+:[^/\s@]+@|[A-Z]_TOKEN)/i;

/** The registries named in an .npmrc whose file is hidden, as the variables npm reads instead. */
export function getRegistryEnv(npmrc: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const line of npmrc.split('\n')) {
    const [, name, url] = /^\s*((?:@[^:\s]+:)?registry)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    if (name && url && !hasSecret(url)) env[`npm_config_${name}`] = url;
  }
  return env;
}
