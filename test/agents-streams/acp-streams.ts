import type { Chance } from '../sim/random.ts';

/** What an agent writes in answer to the greeting, to the session and to the prompt. */
export type AcpLines = readonly (readonly string[])[];

/** A conversation that ends in a claim. */
export function getGoodLines(): AcpLines {
  const update = (value: unknown): string =>
    line({ method: 'session/update', params: { sessionId: 's-1', update: value } });
  const chunk = { sessionUpdate: 'agent_message_chunk', messageId: 'm-1' };
  const call = { sessionUpdate: 'tool_call', toolCallId: 't-1', title: 'Write', kind: 'edit' };
  return [
    [line({ id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })],
    [line({ id: 1, result: { sessionId: 's-1' } })],
    [
      update({ ...chunk, content: { type: 'text', text: 'Schnee ☃, 雪 and 🚀: ' } }),
      update({ ...call, content: [{ type: 'diff', path: '/work/ä.txt', newText: 'é' }] }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', status: 'completed' }),
      update({ sessionUpdate: 'usage_update', used: 120, size: 200_000 }),
      update({ ...chunk, messageId: 'm-2', content: { type: 'text', text: 'All is done.' } }),
      line({ id: 2, result: { stopReason: 'end_turn', usage: { inputTokens: 9, outputTokens: 3 } } }),
    ],
  ];
}

function line(message: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(message as object) });
}

/** Breaks the good conversation in one place, at or before its last line: none of these is a claim. */
export function getBrokenBytes(chance: Chance, maxLineBytes: number): { name: string; parts: Buffer[] } {
  const [name, breakIt] = chance.pick(BREAKAGES);
  return { name, parts: breakIt(getGoodLines(), chance, maxLineBytes) };
}

export function toBytes(lines: AcpLines): Buffer[] {
  return lines.map(part => Buffer.from(part.map(one => `${one}\n`).join('')));
}

type Breakage = (lines: AcpLines, chance: Chance, maxLineBytes: number) => Buffer[];

const BREAKAGES: readonly (readonly [string, Breakage])[] = [
  ['an end anywhere', (lines, chance) => cutBytes(toBytes(lines), chance)],
  ['a byte that is no UTF-8', (lines, chance) => putByte(lines, chance, [0xff, 0xc0, 0x80, 0xfe])],
  ['a control byte', (lines, chance) => putByte(lines, chance, [0, 1, 8, 0x1b])],
  ['words between the lines', insert(chance => chance.pick(NO_JSON))],
  ['JSON that is no message', insert(chance => chance.pick(NO_MESSAGE))],
  ['an answer to nothing', insert(chance => line({ id: chance.pick(WRONG_IDS), result: {} }))],
  ['binary between the lines', (lines, chance) => insertBinary(lines, chance)],
  [
    'a line that is too long',
    insert((chance, max) => `{"jsonrpc":"2.0","x":"${'x'.repeat(max + chance.below(99))}`),
  ],
  ['a nest without an end', insert(chance => chance.pick(['[', '{"a":']).repeat(1 + chance.below(8_000)))],
  ['half a line', changeLine((text, chance) => text.slice(0, chance.below(text.length - 1) + 1))],
  ['a line in a list', changeLine(text => `[${text}]`)],
  ['two lines in one', changeLine(text => text + text)],
  [
    'another protocol',
    changeLine((text, chance) => text.replace('"2.0"', chance.pick(['"1.0"', '2', 'null']))),
  ],
  [
    'an answer with a wrong id',
    changeAnswer((answer, chance) => ({ ...answer, id: chance.pick(WRONG_IDS) })),
  ],
  ['an answer without an id', changeAnswer(({ id: _, ...rest }) => rest)],
  [
    'an answer and an error at once',
    changeAnswer(answer => ({ ...answer, error: { code: 1, message: 'no' } })),
  ],
  ['an answer that is none', changeAnswer(({ result: _, ...rest }) => rest)],
  ['an error', changeAnswer(({ id }) => ({ id, error: { code: -32_603, message: 'Internal error' } }))],
  ['an error that is none', changeAnswer(({ id }, chance) => ({ id, error: chance.pick(ODD) }))],
  ['an odd result', changeAnswer(({ id }, chance) => ({ id, result: chance.pick(ODD) }))],
  ['an odd end of the turn', changeLast(chance => ({ stopReason: chance.pick(ODD_ENDS) }))],
  [
    'a bad end of the turn',
    changeLast(chance => ({ stopReason: chance.pick(['max_tokens', 'cancelled', 'refusal']) })),
  ],
  ['a failure told as last words', (lines, chance) => replaceText(lines, chance.pick(TOLD_FAILURES))],
  ['an answer before the question', lines => toBytes([[...(lines[2] ?? []).slice(-1), ...(lines[0] ?? [])]])],
  ['nothing but noise', (_, chance) => [0, 1, 2].map(() => getNoise(chance, 400))],
];

const NO_JSON = [
  'Starting agent…',
  '{',
  '}',
  '{"jsonrpc":',
  "{'jsonrpc':'2.0'}",
  'NaN',
  '{"a":01}',
  'done\u0000',
];
const NO_MESSAGE = ['null', '7', '"end_turn"', '{}', '[]', '{"jsonrpc":"2.0"}', '{"stopReason":"end_turn"}'];
const WRONG_IDS = [7, -1, 1.5, 'x', '2', null, true, [], {}, 2 ** 60];
const ODD = [null, 0, '', 'end_turn', [], ['end_turn'], {}, false];
const ODD_ENDS = [null, 0, '', [], ['end_turn'], {}, false, 'END_TURN', 'end_turn ', 'done'];
const TOLD_FAILURES = [
  'API Error: 503 Overloaded.',
  'exceeded retry limit, last status: 429 Too Many Requests',
  'stream disconnected before completion: stream closed before response.completed',
  '{"error":{"message":"prompt is too long"}}',
];

function getNoise(chance: Chance, most: number): Buffer {
  return Buffer.from(Array.from({ length: 1 + chance.below(most) }, () => chance.below(256)));
}

/** Everything from a random byte on is missing, at least the end of the last line. */
function cutBytes(parts: Buffer[], chance: Chance): Buffer[] {
  let left = chance.below(parts.reduce((sum, part) => sum + part.length, 0));
  return parts.map(part => {
    const kept = part.subarray(0, left);
    left -= kept.length;
    return kept;
  });
}

function putByte(lines: AcpLines, chance: Chance, bytes: readonly number[]): Buffer[] {
  const parts = toBytes(lines);
  const part = chance.pick(parts);
  part[chance.below(part.length)] = chance.pick(bytes);
  return parts;
}

function insert(getLine: (chance: Chance, maxLineBytes: number) => string): Breakage {
  return (lines, chance, maxLineBytes) => {
    const which = chance.below(lines.length);
    const at = chance.below(lines[which]?.length ?? 1);
    const added = getLine(chance, maxLineBytes);
    return toBytes(lines.map((part, index) => (index === which ? part.toSpliced(at, 0, added) : part)));
  };
}

function insertBinary(lines: AcpLines, chance: Chance): Buffer[] {
  const parts = toBytes(lines);
  const which = chance.below(parts.length);
  // The first byte of the noise alone makes it no line of text.
  const noise = Buffer.concat([Buffer.from([0xff]), getNoise(chance, 200), Buffer.from('\n')]);
  return parts.map((part, index) => (index === which ? Buffer.concat([noise, part]) : part));
}

function changeLine(change: (text: string, chance: Chance) => string): Breakage {
  return (lines, chance) => {
    const which = chance.below(lines.length);
    const at = chance.below(lines[which]?.length ?? 1);
    return toBytes(
      lines.map((part, index) =>
        part.map((text, place) => (index === which && place === at ? change(text, chance) : text)),
      ),
    );
  };
}

type Message = Readonly<Record<string, unknown>>;

/** Changes one of the three answers. */
function changeAnswer(change: (answer: Message, chance: Chance) => Message): Breakage {
  return (lines, chance) => {
    const which = chance.below(lines.length);
    return toBytes(
      lines.map((part, index) =>
        index === which
          ? [...part.slice(0, -1), JSON.stringify(change(JSON.parse(part.at(-1) ?? '{}'), chance))]
          : part,
      ),
    );
  };
}

function changeLast(getResult: (chance: Chance) => unknown): Breakage {
  return (lines, chance) => {
    const [first = [], second = [], third = []] = lines;
    return toBytes([first, second, [...third.slice(0, -1), line({ id: 2, result: getResult(chance) })]]);
  };
}

function replaceText(lines: AcpLines, text: string): Buffer[] {
  return toBytes(lines.map(part => part.map(one => one.replace('"All is done."', JSON.stringify(text)))));
}
