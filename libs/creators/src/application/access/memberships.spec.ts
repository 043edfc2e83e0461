import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, HOUR, MINUTE, SECOND } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { mia } from '../../domain/creator.fixtures.js';
import { MEMBERSHIP_CONFIRMATIONS, Memberships } from './memberships.js';

const NOW = 1_700_000_000_000;

let stored: InMemoryDocumentStore;
let memberships: Memberships;
const another = () => new Memberships(stored);

beforeEach(async () => {
  stored = new InMemoryDocumentStore();
  await stored.ensure([MEMBERSHIP_CONFIRMATIONS]);
  memberships = another();
});

describe('D78: a membership', () => {
  it('is confirmed for 60 seconds after the call that showed it began', async () => {
    expect(await memberships.isConfirmed(mia, NOW)).toBe(false);
    memberships.confirm(mia, NOW);
    expect(await memberships.isConfirmed(mia, NOW)).toBe(true);
    expect(await memberships.isConfirmed(mia, NOW + MINUTE - 1)).toBe(true);
    expect(await memberships.isConfirmed(mia, NOW + MINUTE)).toBe(false);
  });

  it('is confirmed for the same time if a worker has confirmed it', async () => {
    await another().share([mia], NOW);
    expect(await memberships.isConfirmed(mia, NOW + 59 * SECOND)).toBe(true);
    await stored.write([{ collection: MEMBERSHIP_CONFIRMATIONS.name, remove: [mia] }]);
    expect(await memberships.isConfirmed(mia, NOW + 59 * SECOND)).toBe(true);
    expect(await memberships.isConfirmed(mia, NOW + MINUTE)).toBe(false);
  });

  it('D111: is confirmed again after a clock that was ahead had confirmed it', async () => {
    memberships.confirm(mia, NOW + HOUR);
    expect(await memberships.isConfirmed(mia, NOW)).toBe(false);
    memberships.confirm(mia, NOW);
    expect(await memberships.isConfirmed(mia, NOW + 1)).toBe(true);
  });

  it('is not confirmed by a time in the future', async () => {
    await another().share([mia], NOW + 1);
    expect(await memberships.isConfirmed(mia, NOW)).toBe(false);
  });

  it('is forgotten first if it was confirmed longest ago, because the memory is bounded', async () => {
    memberships.confirm(mia, NOW);
    for (let n = 0; n < 20_000; n++) memberships.confirm(`crt_${n}` as CreatorId, NOW + 1);
    expect(await memberships.isConfirmed(mia, NOW + 1)).toBe(false);
    expect(await memberships.isConfirmed('crt_0' as CreatorId, NOW + 1)).toBe(true);
  });
});
