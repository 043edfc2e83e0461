import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatorEvent } from '#creators';
import { derivedId, type RecordedEvent, streamName, type WorkspaceId } from '#kernel';
import {
  accepted,
  activated,
  activationRequested,
  byImport,
  byInvitation,
  byLink,
  fact,
  identityObserved,
  identityWritten,
  imported,
  importLinked,
  linked,
  mergedIdentity,
  mia,
  miaUser,
  nativeIdentity,
  onboarded,
  paused,
  sent,
  standingObserved,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { InterceptedLog } from '../../../kernel/src/stores/intercepted-log.fixtures.js';
import { EVENT_FEED, type EventPublished } from '../domain/public-event.js';
import { type AnnouncedEvent, AnnouncedLog, casesOptions, creatorStream } from './announcements.fixtures.js';
import { Announcements } from './announcements.js';
import { Publisher } from './publisher.js';

let feed: AnnouncedLog;

beforeEach(() => {
  feed = new AnnouncedLog();
});

const updated = ['creator.updated'];

const bare = byLink;

describe('creator.updated is announced', () => {
  it('with the creator as it is shown', async () => {
    const [publishedOnes] = await feed.ofLast(...imported, identityObserved(mergedIdentity));
    expect(publishedOnes).toMatchObject({
      type: 'creator.updated',
      creatorId: mia,
      data: { creator: { id: mia, display_name: mergedIdentity.displayName, eligible: true, simulated: false } },
    });
  });

  it.each<[string, readonly CreatorEvent[]]>([
    ['an import, once it is observed', imported],
    ['an identity that changed', [...imported, identityObserved(mergedIdentity)]],
    ['a standing that changed', [...imported, standingObserved({ entitlement: { active: false, source: 'none' } })]],
    ['a link, once it is written', linked],
    ['an invitation that was sent', [byInvitation, sent]],
    ['one that may not have been', [byInvitation, fact('invitationUnknown', {})]],
    ['one that was refused', [byInvitation, fact('invitationRefused', { code: 'invitation_rejected' })]],
    ['one that was accepted', [byInvitation, sent, accepted]],
    ['one that has expired', [byInvitation, sent, fact('invitationExpired', {})]],
    ['one that was withdrawn', [byInvitation, sent, fact('invitationWithdrawn', { as: 'cancelled' })]],
  ])('for %s', async (_, events) => {
    expect(await feed.typesOfLast(...events)).toEqual(updated);
  });

  it('when an authorization’s end passes by the clock (D40)', async () => {
    const until = { approved: true, status: 'approved', expiresAt: '2026-01-01T00:00:00.000Z' };
    await feed.record(creatorStream, [
      byImport,
      identityObserved(nativeIdentity),
      standingObserved({ authorization: until }),
    ]);
    const ended = Date.parse(until.expiresAt);
    const [lapsed] = await feed.record(creatorStream, [fact('authorizationLapsed', {})], ended);
    const publishedOnes = lapsed === undefined ? [] : await feed.announcements.of(lapsed);
    expect(publishedOnes).toMatchObject([
      { type: 'creator.updated', data: { creator: { eligible: false, authorization: { approved: false } } } },
    ]);
  });

  it('of such an end also where something that is not announced was recorded after it', async () => {
    const until = { approved: true, status: 'approved', expiresAt: '2026-01-01T00:00:00.000Z' };
    const ended = Date.parse(until.expiresAt);
    await feed.record(creatorStream, [...imported, standingObserved({ authorization: until })]);
    await feed.record(creatorStream, [fact('rebound', { epoch: 2 })], ended);
    const [lapsed] = await feed.record(creatorStream, [fact('authorizationLapsed', {})], ended + 1);
    const publishedOnes = lapsed === undefined ? [] : await feed.announcements.of(lapsed);
    expect(publishedOnes).toMatchObject([{ type: 'creator.updated', data: { creator: { eligible: false } } }]);
  });
});

describe('creator.updated is not announced', () => {
  it.each<[string, readonly CreatorEvent[]]>([
    ['while an enrollment is only an intent', [byInvitation]],
    ['while a link is being enrolled', [bare]],
    ['nor of what is observed before that', [bare, identityObserved(nativeIdentity), standingObserved()]],
    ['of an import before its native record has been seen', [byImport]],
    ['of one that was never admitted', [byInvitation, fact('invitationRefused', { code: 'capacity_reached' })]],
    ['of what changes nothing that is shown', [...imported, identityObserved(nativeIdentity)]],
    ['of an observation that says the same', [...imported, standingObserved()]],
    ['of an invitation sent again', [byInvitation, sent, fact('invitationResent', { emailSent: true, expiresAt: 9 })]],
    ['of an activation that is asked for', [...imported, activationRequested]],
    ['of a new binding', [...imported, fact('rebound', { epoch: 2 })]],
    ['of one that goes missing', [...imported, fact('memberNotFound', {})]],
    [
      'of what is observed while it is missing',
      [...imported, fact('memberNotFound', {}), identityObserved(mergedIdentity)],
    ],
    ['of one that has left', [...imported, fact('membershipEnded', {}), identityObserved(mergedIdentity)]],
  ])('%s', async (_, events) => {
    expect(await feed.typesOfLast(...events)).toEqual([]);
  });

  it('of an import that is being linked, until it is written', async () => {
    expect(await feed.typesOfLast(...imported, importLinked)).toEqual([]);
  });
});

describe('a creator that is seen again (D77)', () => {
  it('is announced again, also if nothing has changed', async () => {
    expect(await feed.typesOfLast(...imported, fact('memberNotFound', {}), fact('memberFound', {}))).toEqual(updated);
  });

  it('is announced with its protection as it is by then', async () => {
    const left = [fact('memberNotFound', {}), fact('protectionPaused', { reason: 'membership_ended' })];
    const [publishedOnes] = await feed.ofLast(
      ...imported,
      activated,
      ...left,
      fact('membershipEnded', {}),
      fact('returned', {}),
    );
    expect(publishedOnes).toMatchObject({
      type: 'creator.updated',
      data: { creator: { protection_status: 'paused' } },
    });
  });

  it('is announced as soon as it is shown, where it is being linked, also if nothing has changed by then', async () => {
    const sameId = { epoch: 1, personal: { externalId: `svc:${miaUser}`, identity: nativeIdentity } };
    const seenAgain = [fact('importLinked', sameId), fact('memberNotFound', {}), fact('memberFound', {})];
    expect(await feed.typesOfLast(...imported, ...seenAgain)).toEqual([]);
    expect(await feed.typesOfLast(identityWritten)).toEqual(updated);
  });
});

describe('what was recorded while a creator was missing', () => {
  it('is announced when it is found again, or returns (D40, D43)', async () => {
    const changed = identityObserved(mergedIdentity);
    expect(await feed.typesOfLast(...imported, fact('memberNotFound', {}), changed, fact('memberFound', {}))).toEqual([
      'creator.updated',
    ]);
  });

  it('is announced when it returns to the agency', async () => {
    const left = [fact('memberNotFound', {}), fact('membershipEnded', {})];
    expect(await feed.typesOfLast(...imported, ...left, fact('returned', {}))).toEqual(['creator.updated']);
    expect(await feed.typesOfLast(identityObserved(mergedIdentity))).toEqual(['creator.updated']);
  });
});

describe('protection', () => {
  it('is announced as such, and is no change of the creator (D40)', async () => {
    expect(await feed.ofLast(...linked, activationRequested, activated)).toEqual([
      {
        type: 'protection.activated',
        creatorId: mia,
        data: { status: 'active', scope: 'api_scan_schedule', reason: 'api_request' },
      },
    ]);
    expect(await feed.ofLast(paused)).toEqual([
      {
        type: 'protection.paused',
        creatorId: mia,
        data: { status: 'paused', scope: 'api_scan_schedule', reason: 'api_request' },
      },
    ]);
  });

  it('that ends with a membership has that reason', async () => {
    const ended = fact('membershipEnded', {});
    const [publishedOnes] = await feed.ofLast(
      ...linked,
      activated,
      fact('memberNotFound', {}),
      ended,
      fact('protectionPaused', { reason: 'membership_ended' }),
    );
    expect(publishedOnes).toMatchObject({ type: 'protection.paused', data: { reason: 'membership_ended' } });
  });
});

describe('what one append changes', () => {
  it('is announced event by event, each compared with the one before it', async () => {
    const joining = [byInvitation, sent, accepted, onboarded, identityObserved(mergedIdentity), standingObserved()];
    const events = await feed.record(creatorStream, joining);
    const publishedOnes = [];
    for (const event of events) publishedOnes.push((await feed.announcements.of(event)).length);
    // Between onboarding and the first sight of the native record there is nothing to show.
    expect(publishedOnes).toEqual([0, 1, 1, 0, 0, 1]);
  });

  it('is the same when it is computed again, in any order, after more events', async () => {
    const events = await feed.record(creatorStream, [...linked, activationRequested, activated, paused]);
    const first = [];
    for (const event of events) first.push(await feed.announcements.of(event));
    const again = [];
    for (const event of [...events].reverse()) again.unshift(await feed.announcements.of(event));
    const fresh = new Announcements(feed.log, casesOptions);
    const recomputed = [];
    for (const event of events) recomputed.push(await fresh.of(event));
    expect([again, recomputed]).toEqual([first, first]);
  });
});

it('D72: reads a stream again once its states are forgotten', async () => {
  const log = new InterceptedLog(feed.log);
  const announcements = new Announcements(log, casesOptions);
  const events = await feed.record(creatorStream, linked);
  for (const event of events) await announcements.of(event);
  expect(log.reads).toEqual([]);
  announcements.forget();
  for (const event of await feed.record(creatorStream, [paused])) await announcements.of(event);
  expect(log.reads).toEqual([{ stream: creatorStream, from: 0 }]);
});

it('publishes all announcements of one cause in one append', async () => {
  /** Two of a kind of announcement that one event does not have today. */
  class Twofold extends Announcements {
    override async of(event: RecordedEvent<AnnouncedEvent>) {
      const creatorId = derivedId('creator', event.id);
      return [
        { type: 'creator.updated' as const, creatorId, data: {} },
        { type: 'protection.paused' as const, creatorId, data: {} },
      ];
    }
  }
  const events = Array.from({ length: 300 }, () => paused);
  await feed.record(creatorStream, events);
  const appends: number[] = [];
  const append = feed.log.append.bind(feed.log);
  feed.log.append = async (stream, expected, appended) => {
    const done = await append(stream, expected, appended);
    appends.push(appended.length);
    return done;
  };
  const publisher = new Publisher(feed.log, new Twofold(feed.log, casesOptions));
  await publisher.handle(await feed.log.readLog({ after: 0, types: publisher.types }));
  expect(appends.length).toBeGreaterThan(1);
  expect(appends.filter((count) => count % 2 !== 0)).toEqual([]);
  expect(appends.reduce((sum, count) => sum + count, 0)).toBe(600);
  const published = (await feed.log.readStream(
    streamName(EVENT_FEED, workspaceId satisfies WorkspaceId),
  )) as RecordedEvent<EventPublished>[];
  const causes = published.map(({ data }) => data.cause.revision);
  expect(causes).toEqual(Array.from({ length: 600 }, (_, n) => Math.floor(n / 2)));
});
