import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { bsonFields } from './stored.js';

const readBack = (document: { readonly id: string }): unknown =>
  BSON.deserialize(BSON.serialize(bsonFields(document), { ignoreUndefined: true }));

it('keeps each JSON value as JSON keeps it', () => {
  const names = fc.stringMatching(/^[a-z][a-z $€_]{0,5}$/).filter((name) => name !== 'id' && name !== 'position');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string({ unit: 'grapheme' }),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(null, true, false, undefined),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 5 }), (fields) => {
      expect(readBack({ ...fields, id: 'a' })).toStrictEqual(JSON.parse(JSON.stringify(fields)));
    }),
  );
});

it('leaves the id and the position to the caller', () => {
  expect(bsonFields(Object.assign({ id: 'a' }, { position: 7, text: 'b' }))).toEqual({ text: 'b' });
});

it.each([
  ['a.b', 1],
  ['$set', 1],
  ['a\0b', 1],
  ['_id', 1],
  ['_meta', {}],
  ['nested', { 'a.b': 1 }],
  ['nested', [{ $set: 1 }]],
  ['nested', JSON.parse('{"__proto__": 1}')],
  ['value', new Date(0)],
  ['value', 1n],
  ['value', () => 1],
])('refuses a field %j that MongoDB or JSON would not keep: %p', (name, value) => {
  expect(() => bsonFields(Object.assign({ id: 'a' }, { [name]: value }))).toThrow(TypeError);
});
