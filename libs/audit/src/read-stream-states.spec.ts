import { describe, expect, it } from '@jest/globals';
import { DECIDERS } from '#contexts';
import { type AnyDecider, ENCRYPTED, ERASED, type RecordedEvent, streamName } from '#kernel';
import { Pseudonyms } from './pseudonyms.js';
import { streamStates } from './read-stream-states.js';
import { Recording, workspaceId } from './recording.fixtures.js';

const stream = streamName('apiKey', 'key_1');
const creator = streamName('creator', 'crt_1');

const deciderOf = (category: string): AnyDecider => {
  const decider = DECIDERS.get(category);
  if (decider === undefined) throw new Error(`${category} has no decider`);
  return decider;
};

describe("a stream's state", () => {
  const recordKey = async (recording: Recording): Promise<readonly RecordedEvent[]> => [
    await recording.record(stream, {
      type: 'apiKey.issued.v1',
      data: {
        keyId: 'key_1',
        agencyId: 'ag',
        name: null,
        scopes: [],
        hash: 'h',
        epoch: 1,
        createdAt: 1,
        expiresAt: null,
      },
    }),
    await recording.record(streamName('agency', 'ag'), { type: 'agency.other.v1', data: {} }),
    await recording.record(stream, { type: 'apiKey.revoked.v1', data: {} }),
  ];

  it('is what its events add up to, step by step, each with what it changed', async () => {
    const recording = new Recording();
    const [issued, , revoked] = await recordKey(recording);
    const steps = await Array.fromAsync(streamStates(recording.log, deciderOf('apiKey'), stream));
    expect(steps.map(({ event }) => event)).toEqual([issued, revoked]);
    expect(steps.map(({ state }) => state)).toMatchObject([{ status: 'issued' }, { status: 'revoked' }]);
    expect(steps[1]?.changes).toContainEqual({ path: 'status', before: 'issued', after: 'revoked' });
  });

  it('can be asked for as it was at a time, or when the log held an event of any stream', async () => {
    const recording = new Recording();
    const [issued, other] = await recordKey(recording);
    if (issued === undefined || other === undefined) throw new Error('nothing was recorded');
    const statesAt = async (at: Parameters<typeof streamStates>[3]) =>
      (await Array.fromAsync(streamStates(recording.log, deciderOf('apiKey'), stream, at))).map(({ state }) => state);
    expect(await statesAt({ at: { kind: 'time', at: other.metadata.at } })).toMatchObject([{ status: 'issued' }]);
    expect(await statesAt({ at: { kind: 'event', eventId: other.id } })).toMatchObject([{ status: 'issued' }]);
    expect(await statesAt({ at: { kind: 'time', at: issued.metadata.at - 1 } })).toEqual([]);
  });

  it('shows that something was erased, or cannot be opened here, as it is', () => {
    const event = { data: { personal: { identity: { displayName: ERASED, aliases: [ENCRYPTED, 'Mia'] } } } };
    expect(new Pseudonyms().hide(event as unknown as RecordedEvent).data).toEqual({
      personal: { identity: { displayName: ERASED, aliases: [ENCRYPTED, '[hidden 1]'] } },
    });
  });

  it('shows stand-ins for what is personal, the same for the same, when it is folded from hidden events', async () => {
    const recording = new Recording();
    const identity = (displayName: string) => ({ displayName, aliases: ['Mia'], profiles: [] });
    await recording.record(creator, {
      type: 'creator.enrolledByLink.v1',
      data: {
        creatorId: 'crt_1',
        workspaceId,
        agencyId: 'ag',
        epoch: 1,
        userId: 'user',
        personal: { externalId: 'ext-1', identity: identity('Mia') },
      },
    });
    await recording.record(creator, {
      type: 'creator.identityObserved.v2',
      data: { keptAliases: 1, keptProfiles: 0, personal: { displayName: 'Ivy', aliases: [], profiles: [] } },
    });
    const pseudonyms = new Pseudonyms();
    const seen = (event: RecordedEvent) => pseudonyms.hide(event);
    const [first, second] = await Array.fromAsync(streamStates(recording.log, deciderOf('creator'), creator, { seen }));
    expect(JSON.stringify([first, second].map((step) => step?.state))).not.toMatch(/Mia|Ivy|ext-1/);
    expect(first?.state).toMatchObject({ identity: { displayName: '[hidden 2]', aliases: ['[hidden 2]'] } });
    expect(second?.changes).toContainEqual({ path: 'identity.displayName', before: '[hidden 2]', after: '[hidden 3]' });
  });
});
