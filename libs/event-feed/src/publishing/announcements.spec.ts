import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CaseEvent } from '#cases';
import type { CreatorEvent } from '#creators';
import type { DeindexRequestEvent } from '#deindexing';
import { InMemoryEventLog } from '#event-log';
import type { ImpersonationEvent } from '#impersonations';
import { derivedId, type Instant, newEventId, type RecordedEvent, streamName, type WorkspaceId } from '#kernel';
import type { ScanEvent } from '#scans';
import {
  accepted,
  activated,
  activationRequested,
  agency,
  byImport,
  byInvitation,
  byLink,
  fact,
  identityObserved,
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
import { EVENT_FEED, type EventPublished } from '../domain/event-feed.js';
import { Announcements } from './announcements.js';
import { Publisher } from './publisher.js';

type AnnouncedEvent = CreatorEvent | CaseEvent | ImpersonationEvent | ScanEvent | DeindexRequestEvent;

let log: InMemoryEventLog;
let announcements: Announcements;
beforeEach(() => {
  log = new InMemoryEventLog();
  announcements = new Announcements(log, { faviconTemplate: undefined });
});

const creatorStream = streamName('creator', mia);

const record = async (stream: `${string}-${string}`, events: readonly AnnouncedEvent[], at: Instant = 1_000) => {
  const metadata = { at, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId };
  const { revision } = await log.append(
    stream,
    'any',
    events.map((event) => ({ id: newEventId(), ...event, metadata })),
  );
  const from = revision - events.length + 1;
  return (await log.readStream(stream, { from })) as RecordedEvent<AnnouncedEvent>[];
};

/** What is told because of the last of a creator's events. */
const toldOfLast = async (...events: readonly CreatorEvent[]) => {
  const last = (await record(creatorStream, events)).at(-1);
  return last === undefined ? [] : announcements.of(last);
};
const typesOfLast = async (...events: readonly CreatorEvent[]) => (await toldOfLast(...events)).map(({ type }) => type);

const updated = ['creator.updated'];
const bare = byLink;

describe('creator.updated is told', () => {
  it('with the creator as it is shown', async () => {
    const [told] = await toldOfLast(...imported, identityObserved(mergedIdentity));
    expect(told).toMatchObject({
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
    expect(await typesOfLast(...events)).toEqual(updated);
  });

  it('when a mandate’s end passes by the clock (D40)', async () => {
    const until = { approved: true, status: 'approved', expiresAt: '2026-01-01T00:00:00.000Z' };
    await record(creatorStream, [
      byImport,
      identityObserved(nativeIdentity),
      standingObserved({ authorization: until }),
    ]);
    const ended = Date.parse(until.expiresAt);
    const [lapsed] = await record(creatorStream, [fact('authorizationLapsed', {})], ended);
    const told = lapsed === undefined ? [] : await announcements.of(lapsed);
    expect(told).toMatchObject([
      { type: 'creator.updated', data: { creator: { eligible: false, authorization: { approved: false } } } },
    ]);
  });

  it('of such an end also where something that is not announced was recorded after it', async () => {
    const until = { approved: true, status: 'approved', expiresAt: '2026-01-01T00:00:00.000Z' };
    const ended = Date.parse(until.expiresAt);
    await record(creatorStream, [...imported, standingObserved({ authorization: until })]);
    await record(creatorStream, [fact('rebound', { epoch: 2 })], ended);
    const [lapsed] = await record(creatorStream, [fact('authorizationLapsed', {})], ended + 1);
    const told = lapsed === undefined ? [] : await announcements.of(lapsed);
    expect(told).toMatchObject([{ type: 'creator.updated', data: { creator: { eligible: false } } }]);
  });
});

describe('creator.updated is not told', () => {
  it.each<[string, readonly CreatorEvent[]]>([
    ['while an enrollment is only an intent', [byInvitation]],
    ['while a link is being enrolled', [bare]],
    ['nor of what is observed meanwhile', [bare, identityObserved(nativeIdentity), standingObserved()]],
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
    expect(await typesOfLast(...events)).toEqual([]);
  });

  it('of an import that is being linked, until it is written', async () => {
    expect(await typesOfLast(...imported, importLinked)).toEqual([]);
  });
});

describe('a creator that is seen again (D77)', () => {
  it('is told of once more, also where nothing has changed', async () => {
    expect(await typesOfLast(...imported, fact('memberNotFound', {}), fact('memberFound', {}))).toEqual(updated);
  });

  it('is told of with its protection as it is by then', async () => {
    const left = [fact('memberNotFound', {}), fact('protectionPaused', { reason: 'membership_ended' })];
    const [told] = await toldOfLast(...imported, activated, ...left, fact('membershipEnded', {}), fact('returned', {}));
    expect(told).toMatchObject({ type: 'creator.updated', data: { creator: { protection_status: 'paused' } } });
  });
});

describe('what was recorded while a creator was missing', () => {
  it('is told once it is found again, or returns (D40, D43)', async () => {
    const changed = identityObserved(mergedIdentity);
    expect(await typesOfLast(...imported, fact('memberNotFound', {}), changed, fact('memberFound', {}))).toEqual([
      'creator.updated',
    ]);
  });

  it('is told when it returns to the agency', async () => {
    const left = [fact('memberNotFound', {}), fact('membershipEnded', {})];
    expect(await typesOfLast(...imported, ...left, fact('returned', {}))).toEqual(['creator.updated']);
    expect(await typesOfLast(identityObserved(mergedIdentity))).toEqual(['creator.updated']);
  });
});

describe('protection', () => {
  it('is told as such, and is no change of the creator (D40)', async () => {
    expect(await toldOfLast(...linked, activationRequested, activated)).toEqual([
      {
        type: 'protection.activated',
        creatorId: mia,
        data: { status: 'active', scope: 'api_scan_schedule', reason: 'api_request' },
      },
    ]);
    expect(await toldOfLast(paused)).toEqual([
      {
        type: 'protection.paused',
        creatorId: mia,
        data: { status: 'paused', scope: 'api_scan_schedule', reason: 'api_request' },
      },
    ]);
  });

  it('that ends with a membership says so', async () => {
    const ended = fact('membershipEnded', {});
    const [told] = await toldOfLast(
      ...linked,
      activated,
      fact('memberNotFound', {}),
      ended,
      fact('protectionPaused', { reason: 'membership_ended' }),
    );
    expect(told).toMatchObject({ type: 'protection.paused', data: { reason: 'membership_ended' } });
  });
});

describe('what one append changes', () => {
  it('is told event by event, each against the one before it', async () => {
    const joining = [byInvitation, sent, accepted, onboarded, identityObserved(mergedIdentity), standingObserved()];
    const events = await record(creatorStream, joining);
    const told = [];
    for (const event of events) told.push((await announcements.of(event)).length);
    // Between onboarding and the first sight of the native record there is nothing to show.
    expect(told).toEqual([0, 1, 1, 0, 0, 1]);
  });

  it('is told the same when it is asked again, in any order, after more has happened', async () => {
    const events = await record(creatorStream, [...linked, activationRequested, activated, paused]);
    const first = [];
    for (const event of events) first.push(await announcements.of(event));
    const again = [];
    for (const event of [...events].reverse()) again.unshift(await announcements.of(event));
    const fresh = new Announcements(log, { faviconTemplate: undefined });
    const anew = [];
    for (const event of events) anew.push(await fresh.of(event));
    expect([again, anew]).toEqual([first, first]);
  });
});

describe('an impersonation', () => {
  const impersonationId = derivedId('impersonation', 'one');
  const about = { impersonationId, creatorId: mia };
  const personal = { url: 'https://x.com/not_mia', username: null };
  const native = { platform: 'x', status: 'open', createdAt: 1, updatedAt: 2, personal };

  it('D54: is told of as it is shown when it comes, changes and comes back, and by its ids alone when it goes', async () => {
    const shown = {
      id: impersonationId,
      creator_id: mia,
      platform: 'x',
      url: 'https://x.com/not_mia',
      username: null,
      status: 'open',
      created_at: 1,
      updated_at: 2,
      available: true,
    };
    const data = { impersonation_id: impersonationId, status: 'open', impersonation: shown };
    const closed = { ...shown, status: 'removed', updated_at: 3 };
    const steps: [ImpersonationEvent, object][] = [
      [
        { type: 'impersonation.opened.v1', data: { ...about, ...native, workspaceId, nativeId: 'n' } },
        { type: 'impersonation.created', data },
      ],
      [
        { type: 'impersonation.changed.v1', data: { ...about, ...native, status: 'removed', updatedAt: 3 } },
        { type: 'impersonation.updated', data: { ...data, status: 'removed', impersonation: closed } },
      ],
      [
        { type: 'impersonation.removed.v1', data: about },
        { type: 'impersonation.deleted', data: { impersonation_id: impersonationId } },
      ],
      [
        { type: 'impersonation.restored.v1', data: { ...about, ...native } },
        { type: 'impersonation.updated', data },
      ],
    ];
    for (const [event, told] of steps) {
      const [recorded] = await record(streamName('impersonation', impersonationId), [event]);
      if (recorded === undefined) throw new Error('not recorded');
      expect(await announcements.of(recorded)).toStrictEqual([{ creatorId: mia, ...told }]);
    }
  });
});

describe('a deindex request', () => {
  const requestId = derivedId('deindexRequest', 'one');
  const about = { requestId, caseId: derivedId('case', 'one'), creatorId: mia };
  const ordered = {
    ...about,
    agencyId: agency,
    workspaceId,
    userId: miaUser,
    leakId: 'l',
    personal: { url: 'https://a.b/' },
  };
  const outcome = { submittedToProvider: false, removalVerified: false, errorCode: null, recordedAt: 5 };
  const toldOf = async (...events: readonly DeindexRequestEvent[]) => {
    const last = (await record(streamName('deindexRequest', requestId), events)).at(-1);
    return last === undefined ? [] : announcements.of(last);
  };

  it('D51: is told of with each change of status or of a flag, and not of its creation', async () => {
    const requested: DeindexRequestEvent = { type: 'deindexRequest.requested.v1', data: ordered };
    expect(await toldOf(requested)).toEqual([]);
    const changed = async (event: DeindexRequestEvent) => (await toldOf(event)).map(({ data }) => data);
    const data = { deindex_request_id: requestId, case_id: about.caseId };
    const flags = { submitted_to_provider: false, removal_verified: false };
    expect(await toldOf({ type: 'deindexRequest.dispatchStarted.v1', data: about })).toStrictEqual([
      { type: 'deindex.status_changed', creatorId: mia, data: { ...data, status: 'dispatching', ...flags } },
    ]);
    expect(await changed({ type: 'deindexRequest.submitted.v1', data: { ...about, ...outcome } })).toStrictEqual([
      { ...data, status: 'submitted', ...flags },
    ]);
    const submitted = { ...about, ...outcome, submittedToProvider: true };
    expect(await changed({ type: 'deindexRequest.submitted.v1', data: submitted })).toStrictEqual([
      { ...data, status: 'submitted', submitted_to_provider: true, removal_verified: false },
    ]);
    expect(
      await changed({ type: 'deindexRequest.submitted.v1', data: { ...submitted, errorCode: 'slow' } }),
    ).toStrictEqual([]);
  });
});

describe('a scan', () => {
  const scanId = derivedId('scan', 'one');
  const about = { scanId, creatorId: mia, finishedAt: 5 };
  const told = async (event: ScanEvent) => {
    const [recorded] = await record(streamName('scan', scanId), [event]);
    return recorded === undefined ? [] : announcements.of(recorded);
  };

  it('that has completed is told with its job', async () => {
    expect(await told({ type: 'scan.completed.v1', data: { ...about, jobId: 'j', errorCode: null } })).toEqual([
      { type: 'scan.completed', creatorId: mia, data: { scan_id: scanId, svc_job_id: 'j' } },
    ]);
  });

  it('that has failed is told with the reason, and without a job that it never had', async () => {
    expect(
      await told({ type: 'scan.failed.v1', data: { ...about, jobId: null, errorCode: 'nothing_to_scan' } }),
    ).toEqual([
      { type: 'scan.failed', creatorId: mia, data: { scan_id: scanId, status: 'failed', reason: 'nothing_to_scan' } },
    ]);
  });

  it('that was cancelled, or goes on, is not told', async () => {
    const cancelled = { ...about, jobId: null, errorCode: 'protection_paused' };
    expect(await told({ type: 'scan.cancelled.v1', data: cancelled })).toEqual([]);
    expect(await told({ type: 'scan.started.v1', data: { scanId, creatorId: mia, jobId: 'j' } })).toEqual([]);
  });
});

describe('a case', () => {
  const caseId = derivedId('case', 'one');
  const scanId = derivedId('scan', 'one');
  const about = { caseId, creatorId: mia };
  const finding = {
    status: 'found',
    statusCode: 'found',
    actionable: null,
    deadOnArrival: null,
    createdAt: 1,
    updatedAt: 2,
    personal: { url: 'https://leaks.example/1' },
  };
  const opened = { ...about, workspaceId, leakId: 'l', scanId: null, ...finding };

  it('is told as it comes, changes, is attributed, goes and comes back', async () => {
    const events = await record(streamName('case', caseId), [
      { type: 'case.opened.v1', data: opened },
      { type: 'case.changed.v1', data: { ...about, ...finding, status: 'submitted' } },
      { type: 'case.attributed.v1', data: { ...about, scanId } },
      { type: 'case.removed.v1', data: about },
      { type: 'case.restored.v1', data: { ...about, ...finding } },
    ]);
    const told = [];
    for (const event of events) told.push(...(await announcements.of(event)));
    expect(told).toMatchObject([
      { type: 'case.created', data: { case_id: caseId, status: 'found', case: { id: caseId, source: 'svc' } } },
      { type: 'case.updated', data: { status: 'submitted' } },
      { type: 'case.updated', data: { scan_id: scanId, case: { source: 'api_scan', api_deindex_supported: true } } },
      { type: 'case.deleted', creatorId: mia, data: { case_id: caseId } },
      { type: 'case.updated', data: { case: { available: true } } },
    ]);
    expect(told[0]?.data).not.toHaveProperty('scan_id');
  });
});

it('puts all that one cause has to tell into one append', async () => {
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
  await record(creatorStream, events);
  const appends: number[] = [];
  const append = log.append.bind(log);
  log.append = (stream, expected, appended) => {
    appends.push(appended.length);
    return append(stream, expected, appended);
  };
  const publisher = new Publisher(log, new Twofold(log, { faviconTemplate: undefined }));
  await publisher.handle(await log.readLog({ after: 0, types: publisher.types }));
  expect(appends.length).toBeGreaterThan(1);
  expect(appends.filter((count) => count % 2 !== 0)).toEqual([]);
  expect(appends.reduce((sum, count) => sum + count, 0)).toBe(600);
  const feed = (await log.readStream(
    streamName(EVENT_FEED, workspaceId satisfies WorkspaceId),
  )) as RecordedEvent<EventPublished>[];
  const causes = feed.map(({ data }) => data.cause.revision);
  expect(causes).toEqual(Array.from({ length: 600 }, (_, n) => Math.floor(n / 2)));
});
