import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textProblem } from '#kernel';
import { TEXT_PATTERN } from './json-schema.js';

const pattern = new RegExp(TEXT_PATTERN, 'u');
const isAccepted = (text: string) => textProblem(text, 1_000) === undefined;

test('the expression for texts refuses nothing that is accepted (D7, D96)', () => {
  const character = fc.oneof(fc.constantFrom(' ', '\u200b', '\u2800', '\u3164', 'a'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(character, { maxLength: 4 }), (characters) => {
      const text = characters.join('');
      if (isAccepted(text)) expect(text).toMatch(pattern);
    }),
  );
});

test('the expression for texts agrees with the rule on each character that RE2 and ECMAScript can both name (D96)', () => {
  const all = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code));
  const differing = all.filter((text) => pattern.test(text) !== isAccepted(text));
  expect(differing.map((text) => text.charCodeAt(0).toString(16))).toEqual([]);
});
