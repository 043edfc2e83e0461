import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textProblem } from '../text.js';
import { ENCRYPTED, ERASED, holdsStandIn, isStandIn, textHoldsStandIn, withPlainStandIns } from './stand-in.js';

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
  });

  it.each([ENCRYPTED, ERASED])('is found in JSON and in plain text: %j', (standIn) => {
    expect(textHoldsStandIn(JSON.stringify({ name: standIn }))).toBe(true);
    expect(textHoldsStandIn(JSON.stringify({ name: `\\${standIn}` }))).toBe(true);
    expect(textHoldsStandIn(`"${standIn}",1\r\n`)).toBe(true);
    expect(withPlainStandIns(JSON.stringify({ name: standIn }))).toBe(JSON.stringify({ name: standIn.slice(1) }));
  });

  it('is not found in JSON of texts that only resemble one', async () => {
    const text = fc
      .array(fc.constantFrom('\\', 'u001a', '[erased]', '[encrypted]', 'x'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (name) => {
        const json = JSON.stringify({ name });
        expect(textHoldsStandIn(json)).toBe(false);
        expect(withPlainStandIns(json)).toBe(json);
      }),
    );
  });
});
