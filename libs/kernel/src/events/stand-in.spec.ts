import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textProblem } from '../text.js';
import { ENCRYPTED, ERASED, holdsEncrypted, holdsStandIn, isStandIn, withoutMark } from './stand-in.js';

/** Texts made of these parts resemble a stand-in, or one that was escaped in JSON once or twice. */
const parts = ['\\', 'u001a', '\\u001a[encrypted]', '[erased]', '[encrypted]', '"', '\r\n', 'x'];
const resembling = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((each) => each.join(''));

describe('a stand-in for a personal text (D71)', () => {
  it('is not an accepted text (D7)', () => {
    for (const standIn of [ENCRYPTED, ERASED]) expect(textProblem(standIn, 100)).toBeDefined();
    expect(isStandIn('[erased]')).toBe(false);
    expect(isStandIn('[encrypted]')).toBe(false);
  });

  it('is found at any depth', () => {
    expect(holdsStandIn({ a: [{ b: ENCRYPTED }] })).toBe(true);
    expect(holdsStandIn([null, 1, { a: ['x', ERASED] }])).toBe(true);
    expect(holdsStandIn({ a: ['[erased]', Buffer.from('x'), null] })).toBe(false);
    expect(holdsEncrypted({ a: [{ b: ENCRYPTED }] })).toBe(true);
    expect(holdsEncrypted({ a: [{ b: ERASED }] })).toBe(false);
  });

  it('is shown without its mark by analysis tools', () => {
    expect([ERASED, ENCRYPTED, 'Mia', ''].map(withoutMark)).toEqual(['[erased]', '[encrypted]', 'Mia', '']);
  });

  it('is a whole text: nothing is found inside one, in JSON of one, or in CSV of one (D86)', () => {
    fc.assert(
      fc.property(resembling, (text) => {
        const json = JSON.stringify({ name: text, deeper: JSON.stringify([text, ENCRYPTED]) });
        for (const value of [text, `x${text}${ENCRYPTED}`, json, `"${text}","${ERASED}"\r\n`]) {
          expect([holdsStandIn([value]), holdsEncrypted({ value }), withoutMark(value)]).toEqual([false, false, value]);
        }
      }),
    );
  });
});
