import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeindexRequestEvent } from '#deindexing';
import type { ImpersonationEvent } from '#impersonations';
import { derivedId, streamName } from '#kernel';
import type { ScanEvent } from '#scans';
import { agency, mia, miaUser, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { AnnouncedLog } from './announcements.fixtures.js';

let feed: AnnouncedLog;

beforeEach(() => {
  feed = new AnnouncedLog();
});

describe('an impersonation', () => {
  const impersonationId = derivedId('impersonation', 'one');
  const about = { impersonationId, creatorId: mia };
  const personal = { url: 'https://x.com/not_mia', username: null };
  const native = { platform: 'x', status: 'open', createdAt: 1, updatedAt: 2, personal };

  it('D54: is announced as it is shown when it is opened, changed and restored, and only by its ids when it is removed', async () => {
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
      simulated: false,
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
    for (const [event, published] of steps) {
      const announced = await feed.ofLastIn(streamName('impersonation', impersonationId), event);
      expect(announced).toStrictEqual([{ creatorId: mia, ...published }]);
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
  const requested: DeindexRequestEvent = { type: 'deindexRequest.requested.v1', data: ordered };
  const dispatched: DeindexRequestEvent = { type: 'deindexRequest.dispatchStarted.v1', data: about };
  const toldOf = (...events: readonly DeindexRequestEvent[]) =>
    feed.ofLastIn(streamName('deindexRequest', requestId), ...events);

  it('D51: is announced at each change of status or of a flag, but not at its creation', async () => {
    expect(await toldOf(requested)).toEqual([]);
    const changed = async (event: DeindexRequestEvent) => (await toldOf(event)).map(({ data }) => data);
    const data = { deindex_request_id: requestId, case_id: about.caseId };
    const flags = { submitted_to_provider: false, removal_verified: false };
    expect(await toldOf(dispatched)).toStrictEqual([
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

  it.each<[string, DeindexRequestEvent['type'], DeindexRequestEvent[]]>([
    ['uncertain', 'deindexRequest.outcomeLost.v1', [dispatched]],
    ['queued', 'deindexRequest.accepted.v1', [dispatched]],
    ['completed', 'deindexRequest.completed.v1', [dispatched]],
    ['rejected', 'deindexRequest.rejected.v1', [dispatched]],
    ['failed', 'deindexRequest.failed.v1', [dispatched]],
    ['cancelled', 'deindexRequest.cancelled.v1', []],
  ])('D51: is announced when it is %s', async (status, type, before) => {
    const event = { type, data: { ...about, ...outcome } } as DeindexRequestEvent;
    expect(await toldOf(requested, ...before, event)).toMatchObject([
      { type: 'deindex.status_changed', data: { status } },
    ]);
  });
});

describe('a scan', () => {
  const scanId = derivedId('scan', 'one');
  const about = { scanId, creatorId: mia, finishedAt: 5 };
  const published = (event: ScanEvent) => feed.ofLastIn(streamName('scan', scanId), event);

  it('that has completed is announced with its job', async () => {
    expect(await published({ type: 'scan.completed.v1', data: { ...about, jobId: 'j', errorCode: null } })).toEqual([
      { type: 'scan.completed', creatorId: mia, data: { scan_id: scanId, svc_job_id: 'j' } },
    ]);
  });

  it('that has failed is announced with the reason, and without a job if it never had one', async () => {
    expect(
      await published({ type: 'scan.failed.v1', data: { ...about, jobId: null, errorCode: 'nothing_to_scan' } }),
    ).toEqual([
      { type: 'scan.failed', creatorId: mia, data: { scan_id: scanId, status: 'failed', reason: 'nothing_to_scan' } },
    ]);
  });

  it('that was cancelled, or continues, is not announced', async () => {
    const cancelled = { ...about, jobId: null, errorCode: 'protection_paused' };
    expect(await published({ type: 'scan.cancelled.v1', data: cancelled })).toEqual([]);
    expect(await published({ type: 'scan.started.v1', data: { scanId, creatorId: mia, jobId: 'j' } })).toEqual([]);
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

  it('is announced when it is opened, changed, attributed, removed and restored', async () => {
    const events = await feed.record(streamName('case', caseId), [
      { type: 'case.opened.v1', data: opened },
      { type: 'case.changed.v1', data: { ...about, ...finding, status: 'submitted' } },
      { type: 'case.attributed.v1', data: { ...about, scanId } },
      { type: 'case.removed.v1', data: about },
      { type: 'case.restored.v1', data: { ...about, ...finding } },
    ]);
    const published = [];
    for (const event of events) published.push(...(await feed.announcements.of(event)));
    expect(published).toMatchObject([
      { type: 'case.created', data: { case_id: caseId, status: 'found', case: { id: caseId, source: 'svc' } } },
      { type: 'case.updated', data: { status: 'submitted' } },
      { type: 'case.updated', data: { scan_id: scanId, case: { source: 'api_scan', api_deindex_supported: true } } },
      { type: 'case.deleted', creatorId: mia, data: { case_id: caseId } },
      { type: 'case.updated', data: { case: { available: true } } },
    ]);
    expect(published[0]?.data).not.toHaveProperty('scan_id');
  });
});
