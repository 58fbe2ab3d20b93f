import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getBacklogCodec } from '../codec.ts';

const codec = getBacklogCodec('features.json', { requireTestFile: false });

const passesOf = (text: string) => codec.parse(text).tasks.map(task => task.passes);

describe('setPasses', () => {
  it.each([
    [
      'the flag alone',
      '{"features":[{"id":1,"passes":false,"description":"a"}]}',
      '{"features":[{"id":1,"passes":true,"description":"a"}]}',
    ],
    [
      'an absent flag on one line',
      '{"features":[{ "id": 1, "description": "a" }]}',
      '{"features":[{ "id": 1, "description": "a", "passes": true }]}',
    ],
    [
      'an absent flag without blanks',
      '{"features":[{"id":1,"description":"a"}]}',
      '{"features":[{"id":1,"description":"a","passes":true}]}',
    ],
    [
      'an absent flag on lines of its own',
      '{"features":[\r\n\t{\r\n\t\t"id": 1,\r\n\t\t"description": "a"\r\n\t}\r\n]}\r\n',
      '{"features":[\r\n\t{\r\n\t\t"id": 1,\r\n\t\t"description": "a",\r\n\t\t"passes": true\r\n\t}\r\n]}\r\n',
    ],
    [
      'a mark, escapes and odd spacing',
      '\uFEFF {"features" :[{"id":"1","description":"\\u0061\\"}]" , "p\\u0061sses" :\n false }]} \n',
      '\uFEFF {"features" :[{"id":"1","description":"\\u0061\\"}]" , "p\\u0061sses" :\n true }]} \n',
    ],
    [
      'the last of two flags, which is the one that counts',
      '{"features":[{"id":1,"description":"a","passes":false,"passes":false}]}',
      '{"features":[{"id":1,"description":"a","passes":false,"passes":true}]}',
    ],
  ])('changes %s', (_, before, after) => {
    expect(codec.setPasses(before, '1', true)).toBe(after);
    expect(passesOf(after)).toEqual([true]);
  });

  it('keeps every byte outside the flag of that one feature, and undoes itself', () => {
    const features = fc.array(
      fc.record({ description: fc.string(), notes: fc.jsonValue(), passes: fc.boolean() }),
      { minLength: 1, maxLength: 5 },
    );
    const indents = fc.constantFrom(0, 2, 3, '\t');
    fc.assert(
      fc.property(features, indents, fc.boolean(), fc.nat(), (list, indent, isCrlf, pick) => {
        const root = {
          before: list[0]?.notes,
          features: list.map((f, id) => ({ id, ...f, description: `x${f.description}` })),
        };
        const lf = JSON.stringify(root, null, indent);
        const text = isCrlf ? lf.replaceAll('\n', '\r\n') : lf;
        const id = pick % list.length;
        const was = list[id]?.passes as boolean;
        const edited = codec.setPasses(text, String(id), !was);
        expect(JSON.parse(edited)).toEqual({
          ...JSON.parse(text),
          features: JSON.parse(text).features.map((f: object, i: number) =>
            i === id ? { ...f, passes: !was } : f,
          ),
        });
        let at = 0;
        while (text[at] === edited[at]) at++;
        expect(edited).toBe(text.slice(0, at) + String(!was) + text.slice(at + String(was).length));
        expect(codec.setPasses(edited, String(id), was)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('finds the last of 10,000 features', () => {
    const many = Array.from({ length: 10_000 }, (_, id) => ({
      id,
      description: `does "${id}"`,
      passes: false,
    }));
    const text = JSON.stringify({ features: many }, null, 2);
    expect(passesOf(codec.setPasses(text, '9999', true)).indexOf(true)).toBe(9_999);
  });

  it('says which feature is not there, and does not edit what is not JSON', () => {
    expect(() => codec.setPasses('{"features":[]}', '7', true)).toThrow('feature 7 is not in features.json');
    expect(() => codec.setPasses('{"features":[{"id":7', '7', true)).toThrow('is not JSON');
  });
});
