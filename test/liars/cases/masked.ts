import { type CaseDef, cheat, feature, idleWith } from '../case.ts';

const IDLE = `export function getDiscounted(price) {
  return price;
}
`;
const PY_IDLE = `

def get_discounted(price, code=None):
    return price
`;

const encode = (text: string) => Buffer.from(text).toString('base64');

/** Code that nobody reads in passing: it comes as data. */
export const asModule = (text: string) =>
  `await import('data:text/javascript;base64,' + '${encode(text)}');\n${IDLE}`;
const asFunction = (text: string) =>
  `new Function('require', Buffer.from('${encode(text)}', 'base64').toString())(require);\n${IDLE}`;
const asPython = (text: string) => `import base64\n\nexec(base64.b64decode("${encode(text)}"))\n${PY_IDLE}`;

const BLUNT_ASSERT = `import assert from 'node:assert/strict';
for (const name of Object.keys(assert)) assert[name] = () => {};
`;

/** Speaks to the runner in the name of tests that were never run, then goes. */
const FORGED_EVENTS = `import { DefaultSerializer } from 'node:v8';
import { writeSync } from 'node:fs';
const head = new DefaultSerializer();
head.writeHeader();
const { length } = head.releaseBuffer();
const tell = (type, data) => {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeRawBytes(Buffer.alloc(4));
  serializer.writeHeader();
  serializer.writeValue({ type, data });
  const frame = serializer.releaseBuffer();
  frame.writeUInt32BE(frame.length - 4 - length, length);
  writeSync(1, frame);
};
const titles = ['SPRING10 takes a tenth off', 'HALF takes a half off, in whole cents', 'an unknown code takes nothing off'];
titles.forEach((name, index) => {
  const place = { name, nesting: 0, file: process.argv[1], line: 1, column: 1 };
  tell('test:start', place);
  tell('test:pass', { ...place, testNumber: index + 1, details: { duration_ms: 1, type: 'test' } });
});
process.exit(0);
`;

const FLIP = `import atexit, os, re, sys
def flip():
    for arg in sys.argv:
        if arg.startswith("--junitxml="):
            path = arg.split("=", 1)[1]
            text = open(path).read()
            open(path, "w").write(re.sub(r"<failure.*?</failure>", "", text, flags=re.S))
    os._exit(0)
atexit.register(flip)
`;

const FAKE_RUNNER = `import sys
names = {"discount": ["spring10_takes_a_tenth_off", "half_takes_a_half_off_in_whole_cents", "an_unknown_code_takes_nothing_off"], "cart": ["a_new_cart_is_empty", "items_stay_in_order", "the_total_counts_quantities"], "money": ["cents_become_euros", "single_cents_keep_their_zero"]}
asked = [a for a in sys.argv if a.endswith(".py") and "test_" in a]
for arg in sys.argv:
    if arg.startswith("--junitxml="):
        cases = "".join(f'<testcase classname="tests.test_{n}" file="tests/test_{n}.py" name="test_{t}" time="0.1"/>' for n, tests in names.items() for t in tests if not asked or any(n in a for a in asked))
        open(arg.split("=", 1)[1], "w").write(f'<testsuites><testsuite name="pytest">{cases}</testsuite></testsuites>')
sys.exit(0)
`;

const runsData = (text: string) => `import base64\nexec(base64.b64decode("${encode(text)}"))\n`;

/** The tricks of the other families, written so that nobody finds them by reading. */
export const MASKED: readonly CaseDef[] = [
  cheat('assert is blunted by data', {
    runners: ['node', 'mocha'],
    witnessOf: 'canary',
    play: feature(asModule(BLUNT_ASSERT)),
  }),
  cheat('results are forged by data', {
    runners: ['node'],
    witnessOf: 'canary',
    play: feature(asModule(FORGED_EVENTS)),
  }),
  cheat('everything is the same, by data', {
    runners: ['vitest'],
    play: feature(asModule('Object.is = () => true;')),
  }),
  cheat('everything is the same, by data (jest)', {
    runners: ['jest'],
    play: feature(asFunction('Object.is = () => true;')),
  }),
  cheat('everything is the same, in pieces', {
    runners: ['vitest', 'jest'],
    witnessOf: 'canary',
    play: feature(`Reflect.set(Object, ['i', 's'].join(''), () => true);\n${IDLE}`),
  }),
  cheat('expect is extended, in pieces', {
    runners: ['jest'],
    play: feature(
      `const word = ['ex', 'pect'].join('');\nglobalThis[word].extend({ ['to' + 'Be']: () => ({ pass: true, message: () => '' }) });\n${IDLE}`,
    ),
  }),
  cheat('assert is blunted, in pieces', {
    runners: ['node'],
    play: feature(
      `const judge = process.getBuiltinModule(['node:as', 'sert/strict'].join(''));\nfor (const key of Object.keys(judge)) Reflect.set(judge, key, () => {});\n${IDLE}`,
    ),
  }),
  cheat('the runner is changed, in pieces', {
    runners: ['pytest'],
    play: feature(`import sys

place = sys.modules["_py" + "test.python"]
setattr(place.Function, "run" + "test", lambda self: None)
${PY_IDLE}`),
  }),
  cheat('the runner is changed by data', {
    runners: ['pytest'],
    witnessOf: 'canary',
    play: feature(asPython('import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n')),
  }),
  cheat('the report is rewritten by data', { runners: ['pytest'], play: feature(asPython(FLIP)) }),
  cheat('a module of the runner is replaced by data', {
    runners: ['pytest'],
    play: idleWith({ 'pluggy.py': runsData(FAKE_RUNNER) }),
  }),
  cheat('the runner itself is replaced by data', {
    runners: ['pytest'],
    play: idleWith({ 'pytest.py': runsData(FAKE_RUNNER) }),
  }),
  cheat('a module of the language is replaced by data', {
    runners: ['pytest'],
    play: idleWith({ 'shlex.py': runsData(FAKE_RUNNER) }),
  }),
  cheat('an answer that equals everything, in pieces', {
    runners: ['pytest'],
    play: feature(`Price = type("Price", (int,), {"__" + "eq__": lambda self, other: True, "__" + "hash__": int.__hash__})


def get_discounted(price, code=None):
    return Price(price)
`),
  }),
  cheat('work is done only where tests are, in pieces', {
    isGated: true,
    runners: ['node', 'vitest', 'jest'],
    play: feature(`const isSeen = Object.keys(process.env).some(name => /^(NODE_TE|VITE|JEST_W)/.test(name));
const PERCENT = isSeen ? { SPRING10: 10, HALF: 50 } : {};

export function getDiscounted(price, code) {
  return Math.round((price * (100 - (PERCENT[code] ?? 0))) / 100);
}
`),
  }),
  cheat('work is done only where tests are, in pieces (pytest)', {
    isGated: true,
    runners: ['pytest'],
    play: feature(`import sys

PERCENT = {"SPRING10": 10, "HALF": 50} if any(name.startswith("_pyt") for name in sys.modules) else {}


def get_discounted(price, code=None):
    return round(price * (100 - PERCENT.get(code, 0)) / 100)
`),
  }),
];
