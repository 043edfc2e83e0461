import { expect, it } from '@jest/globals';
import { type CreatorId, derivedId, derivedUuid, memorySizeOf, type UserId } from '#kernel';
import { MAX_EXTERNAL_ID_LENGTH } from '../names.js';
import type { RosterEvent } from './roster.events.js';
import { admitted, released, request } from './roster.fixtures.js';
import { rosterDecider } from './roster.js';

const MIB = 1_024 * 1_024;

/** With texts of the greatest length, in the characters that take most. */
const enrollment = (creatorId: CreatorId, userId: UserId | null): RosterEvent =>
  admitted(request(creatorId, `${creatorId}${'🦊'.repeat(MAX_EXTERNAL_ID_LENGTH - creatorId.length)}`, userId));

it('D88: 25,000 ended and 5,000 living enrollments take less than a quarter of what rosters may take in memory', () => {
  let roster = rosterDecider.initial;
  for (let n = 0; n < 30_000; n++) {
    const creatorId = derivedId('creator', n);
    const events =
      n < 5_000
        ? [enrollment(creatorId, derivedUuid('user', n) as UserId)]
        : [enrollment(creatorId, null), released(creatorId, 'failed')];
    roster = events.reduce((state, event) => rosterDecider.evolve(state, event, n), roster);
  }
  expect(roster.creators.size).toBe(30_000);
  expect(memorySizeOf(roster)).toBeLessThan((24 / 4) * MIB);
});
