import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OrderedIds } from './ordered-ids.js';

const id = fc.string({ minLength: 1, maxLength: 3 });

describe('ordered ids', () => {
  test('walk both ways from any cursor, through additions and removals', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.uniqueArray(id), id, (added, removed, cursor) => {
        const ids = new OrderedIds();
        for (const one of added) ids.add(one);
        for (const one of removed) ids.remove(one);
        const left = added.filter((one) => !removed.includes(one)).sort();
        expect([...ids.after(undefined)]).toEqual(left);
        expect([...ids.after(cursor)]).toEqual(left.filter((one) => one > cursor));
        expect([...ids.before(cursor)]).toEqual(left.filter((one) => one < cursor).reverse());
        expect(ids.size).toBe(left.length);
      }),
    );
  });
});
