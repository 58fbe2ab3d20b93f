import { expect, test } from 'vitest';
import { parseStructured } from './structured.ts';

const SCHEMA = {
  type: 'object',
  properties: { verdict: { enum: ['good', 'bad'] }, why: { type: 'array', items: { type: 'string' } } },
  required: ['verdict'],
  additionalProperties: false,
};

test.each([
  ['bare JSON', '{"verdict":"good"}'],
  ['JSON with space around it', '\n {"verdict":"good"} \n'],
  ['one fenced block', '```json\n{"verdict":"good"}\n```'],
])('%s is an answer', (_, text) => {
  expect(parseStructured(text, SCHEMA)).toEqual({ ok: true, value: { verdict: 'good' } });
});

test.each([
  ['nothing', ''],
  ['words', 'The verdict is good.'],
  ['words around the JSON', 'Here you are: {"verdict":"good"}'],
  ['half of the JSON', '{"verdict":"go'],
  ['a value that is not allowed', '{"verdict":"fine"}'],
  ['a missing field', '{}'],
  ['a field too many', '{"verdict":"good","more":1}'],
  ['a wrong type inside', '{"verdict":"good","why":[1]}'],
  ['another type', '["good"]'],
])('%s is none', (_, text) => {
  expect(parseStructured(text, SCHEMA).ok).toBe(false);
});

test('the reason names the field', () => {
  expect(parseStructured('{"verdict":"fine"}', SCHEMA)).toMatchObject({
    why: expect.stringContaining('verdict'),
  });
});
