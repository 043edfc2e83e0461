import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CreatorEvent } from '../creator.events.js';
import { byImport, creatorOf } from '../creator.fixtures.js';
import type { Identity } from '../creator.state.js';
import { MAX_ALIASES, NO_IDENTITY, observeIdentity } from './identity.js';

const word = fc.constantFrom('mia', 'mimi', 'rosie', 'ivy');
const anyIdentity: fc.Arbitrary<Identity> = fc.record({
  displayName: word,
  aliases: fc.array(word, { maxLength: 6 }),
  profiles: fc.array(
    fc.record({ platform: fc.constantFrom('x', 'mym'), username: word, profileId: fc.constantFrom(null, '12') }),
    { maxLength: 6 },
  ),
});

const longAlias = (n: number) => `${n} `.padEnd(160, '"');
const largest: Identity = {
  displayName: 'Mia',
  aliases: Array.from({ length: MAX_ALIASES }, (_, n) => longAlias(n)),
  profiles: [],
};
const bytesOf = (event: CreatorEvent) => JSON.stringify(event).length;

describe('an observed identity', () => {
  it('is the same after any past', () => {
    fc.assert(
      fc.property(fc.array(anyIdentity, { minLength: 1, maxLength: 5 }), (identities) => {
        const past: CreatorEvent[] = [byImport];
        let before = NO_IDENTITY;
        for (const identity of identities) {
          past.push(observeIdentity(before, identity));
          before = identity;
          expect(creatorOf(past).identity).toEqual(identity);
        }
      }),
    );
  });

  it('is recorded as what changed: another name of the largest creator takes some bytes', () => {
    expect(bytesOf(observeIdentity(NO_IDENTITY, largest))).toBeGreaterThan(80_000);
    expect(bytesOf(observeIdentity(largest, { ...largest, displayName: 'Ivy' }))).toBeLessThan(200);
  });

  it('takes the bytes of each alias once, however many changes add them', () => {
    const steps = largest.aliases.map((_, n) => ({ ...largest, aliases: largest.aliases.slice(0, n + 1) }));
    const bytes = steps.map((identity, n) => bytesOf(observeIdentity(steps[n - 1] ?? NO_IDENTITY, identity)));
    const all = bytes.reduce((sum, each) => sum + each, 0);
    expect(all).toBeLessThan(2 * bytesOf(observeIdentity(NO_IDENTITY, largest)));
  });
});
