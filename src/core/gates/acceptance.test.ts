import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAcceptance } from './acceptance.ts';

const FILE = 'docs/spec.acceptance.md';
const parse = (text: string) => parseAcceptance(text, FILE);
const FULL = `# Shop

## Release criteria

Words of a person's own.
- [ ] **tag: \`auth/login\`** — "People can log in"
  - Tested by: \`test/login.test.js\`, \`test/session.test.js\`
  - Covered by plans: 0012, 0037
  - Required connections: Google OAuth
  - Note: ask Ann first
- [x] **tag: \`shop/cart\`**: Carts keep what is put in

### Money
* **Tag: \`shop/tax\`** - 'Totals include tax'
	- Tests: test/tax.test.js

\`\`\`
- [ ] **tag: \`in/code\`** — "no"
\`\`\`
<!-- - [ ] **tag: \`in/comment\`** — "no"
- nothing -->

## Environment requirements

- \`DATABASE_URL\` (where the orders are)
  - \`API_KEY\`, \`API_KEY\`, \`not_one\`
- PORT

## Notes
- anything
`;

describe('an acceptance file', () => {
  it('is read with the lines that it stands on', () => {
    expect(parse(FULL)).toEqual({
      criteria: [
        {
          ...{ tag: 'auth/login', text: 'People can log in', line: 6, isTicked: false },
          tests: ['test/login.test.js', 'test/session.test.js'],
          ...{ plans: ['0012', '0037'], connections: ['Google OAuth'] },
        },
        {
          ...{ tag: 'shop/cart', text: 'Carts keep what is put in', line: 11, isTicked: true },
          ...{ tests: [], plans: [], connections: [] },
        },
        {
          ...{ tag: 'shop/tax', text: 'Totals include tax', line: 14, isTicked: false },
          ...{ tests: ['test/tax.test.js'], plans: [], connections: [] },
        },
      ],
      environment: [
        { name: 'DATABASE_URL', line: 25 },
        { name: 'API_KEY', line: 26 },
        { name: 'PORT', line: 27 },
      ],
    });
  });

  it('is the same with the line ends of another system', () => {
    expect(parse(`\uFEFF${FULL.replaceAll('\n', '\r\n')}`)).toEqual(parse(FULL));
  });

  const head = '## Release criteria\n';
  const one = `${head}- [ ] **tag: \`a/b\`** — "x"\n`;
  it.each([
    ['no section', '# Shop\n- [ ] **tag: `a`** x\n', `${FILE}:1 has no section "## Release criteria"`],
    ['an empty file', '', `${FILE}:1 has no section`],
    ['a section without a criterion', `${head}\nlater\n`, `${FILE}:1 names no criterion`],
    ['a tag twice', `${one}- **tag: \`a/b\`** y\n`, `${FILE}:3 has the tag a/b, which line 2 has already`],
    [
      'a sub-bullet without a criterion',
      `${head}  - Tested by: \`x\`\n`,
      `${FILE}:2 belongs to no criterion`,
    ],
    ['a criterion without a tag', `${head}- [ ] people can log in\n`, `${FILE}:2 must begin with **tag:`],
    ['an empty tag', `${head}- **tag: \`\`** x\n`, `${FILE}:2 must begin with **tag:`],
    ['a tag with a blank', `${head}- **tag: \`a b\`** x\n`, `${FILE}:2 must begin with **tag:`],
    ['a slip', `${one}  - Testd by: \`x\`\n`, `${FILE}:3 says "Testd by"; did you mean "tested by"?`],
    ['no test named', `${one}  - Tested by:\n`, `${FILE}:3 names nothing after "Tested by:"`],
    [
      'a path outside',
      `${one}  - Tested by: \`../x.js\`\n`,
      `${FILE}:3 names ../x.js, which is no path inside`,
    ],
    ['an option for a path', `${one}  - Tested by: \`--help\`\n`, `${FILE}:3 names --help, which is no path`],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('is refused with all that is wrong with it at once, as a usage error', () => {
    const text = `${one}- nothing\n- **tag: \`a/b\`** y\n`;
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringMatching(/2 problems:\n.*:3 must.*\n.*:4 has the tag/),
        details: expect.objectContaining({ file: FILE, field: 'line 3' }),
      }),
    );
  });

  it('never loses a criterion, whatever is written between them', () => {
    const other = fc.constantFrom('', 'words', '### Part', '  - Note: x', '\t- Tested by: `a.js`', '    ');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/), { minLength: 1 }),
        fc.array(other),
        (tags, between) => {
          const lines = tags.flatMap(tag => [`- [ ] **tag: \`${tag}\`** — "x"`, ...between]);
          expect(parse(`${head}${lines.join('\n')}`).criteria.map(({ tag }) => tag)).toEqual(tags);
        },
      ),
    );
  });
});
