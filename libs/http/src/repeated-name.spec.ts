import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedName } from './json-text.js';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"b":{"a":1},"c":[{"a":1,"d":{"a":1},"a":{}}]}', 'a'],
  ['{"":1,"":1}', ''],
  ['{"a\\"":1, "a\\"" :2}', 'a"'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s holds a name twice (D7)', (json, name) => {
  expect(repeatedName(json)).toBe(name);
});

test.each([
  '{"a":{"a":{"a":"a"}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"{\\"b\\":1,\\"b\\":2}"}',
  '{"a":["b","b"],"b":"a"}',
  '{"a":"x:","c":"x:"}',
])('%s holds no name twice', (json) => {
  expect(repeatedName(json)).toBeUndefined();
});

test('what JSON.stringify writes holds no name twice, and one more copy of a field is found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const json = JSON.stringify(value);
      expect(repeatedName(json)).toBeUndefined();
      const [name = ''] = Object.keys(value);
      expect(repeatedName(`${json.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name);
    }),
  );
});
