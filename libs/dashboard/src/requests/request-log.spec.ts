import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, StoreUnavailable } from '#kernel';
import { eventually, FakeClock, InMemoryDocumentStore, RecordingLogger } from '#testing';
import { CallCounts } from './call-counts.js';
import { CALLS_BY_DAY } from './counted-calls.js';
import { REFUSED_KEPT, REFUSED_REQUESTS, RefusedRequests } from './refused-requests.js';
import { RequestLog } from './request-log.js';
import { backend, lumen, ROSTER, refused, reports, served } from './requests.fixtures.js';

/** Noon, so that the hours before it are of the same day. */
const NOON = 20_000 * DAY + 12 * HOUR;

let documents: InMemoryDocumentStore;
let clock: FakeClock;
let logger: RecordingLogger;
let log: RequestLog;
let counts: CallCounts;
let requests: RefusedRequests;

beforeEach(async () => {
  documents = new InMemoryDocumentStore();
  await documents.ensure([CALLS_BY_DAY, REFUSED_REQUESTS]);
  clock = new FakeClock(NOON);
  logger = new RecordingLogger();
  log = process();
  counts = new CallCounts(documents, clock);
  requests = new RefusedRequests(documents);
});

const process = () => new RequestLog(documents, clock, logger);
const noted = async (...what: Parameters<RequestLog['note']>) => {
  log.note(...what);
  await log.write();
};

describe('calls', () => {
  it('are put within about a second, without anybody waiting for it', async () => {
    log.onApplicationBootstrap();
    log.note(served());
    expect(await documents.count(CALLS_BY_DAY.name)).toBe(0);
    await eventually(async () => (await documents.count(CALLS_BY_DAY.name)) === 2, { within: 3_000 });
  });

  it('are summed over processes, keys and routes', async () => {
    const other = process();
    log.note(served());
    log.note(served({ route: 'GET /v1/me' }));
    await log.write();
    log.note(served());
    other.note(served());
    other.note(served({ keyId: reports }));
    await Promise.all([log.write(), other.write()]);
    expect(await counts.ofKeys(lumen)).toEqual(
      new Map([
        [backend, { last24Hours: 4, last7Days: 4 }],
        [reports, { last24Hours: 1, last7Days: 1 }],
      ]),
    );
    expect(await counts.byRoute(backend)).toEqual([
      { route: ROSTER, calls: 3 },
      { route: 'GET /v1/me', calls: 1 },
    ]);
    // One for each process and key, and one for each process and all keys.
    expect(await documents.count(CALLS_BY_DAY.name)).toBe(5);
  });

  it('leave the windows of a day and of a week with their hour', async () => {
    await noted(served());
    clock.advance(23 * HOUR);
    await noted(served());
    expect((await counts.ofKeys(lumen)).get(backend)).toEqual({ last24Hours: 2, last7Days: 2 });
    clock.advance(HOUR);
    expect((await counts.ofKeys(lumen)).get(backend)).toEqual({ last24Hours: 1, last7Days: 2 });
    clock.advance(6 * DAY);
    expect((await counts.ofKeys(lumen)).get(backend)).toEqual({ last24Hours: 0, last7Days: 1 });
    expect(await counts.byRoute(backend)).toEqual([{ route: ROSTER, calls: 1 }]);
    clock.advance(DAY);
    expect(await counts.ofKeys(lumen)).toEqual(new Map());
  });

  it('are shown by minute for 24 hours and by hour for 30 days', async () => {
    log.note(served());
    clock.advance(MINUTE);
    log.note(served());
    log.note(served());
    await log.write();
    await noted(served({ keyId: reports }));
    expect(await counts.series('minute', lumen, backend)).toEqual([
      { at: NOON, calls: 1 },
      { at: NOON + MINUTE, calls: 2 },
    ]);
    expect(await counts.series('minute', lumen, null)).toEqual([
      { at: NOON, calls: 1 },
      { at: NOON + MINUTE, calls: 3 },
    ]);
    expect(await counts.series('hour', lumen, backend)).toEqual([{ at: NOON, calls: 3 }]);
    expect(await counts.series('hour', lumen, null)).toEqual([{ at: NOON, calls: 4 }]);
    const ofKeys = new Map([
      [backend, 3],
      [reports, 1],
    ]);
    expect([await counts.byKey('minute', lumen), await counts.byKey('hour', lumen)]).toEqual([ofKeys, ofKeys]);
    clock.advance(24 * HOUR - MINUTE);
    expect(await counts.series('minute', lumen, backend)).toEqual([{ at: NOON + MINUTE, calls: 2 }]);
    expect((await counts.byKey('minute', lumen)).get(backend)).toBe(2);
    clock.advance(DAY);
    expect([await counts.series('minute', lumen, null), await counts.byKey('minute', lumen)]).toEqual([[], new Map()]);
    clock.advance(28 * DAY);
    expect([await counts.series('hour', lumen, null), await counts.byKey('hour', lumen)]).toEqual([[], new Map()]);
  });

  it('of an earlier version are shown by hour, and have no minutes', async () => {
    await noted(served());
    const routes = [{ route: ROSTER, hours: [...new Array(11).fill(0), 12, ...new Array(12).fill(0)] }];
    const day = { id: 'earlier', agencyId: lumen, keyId: backend, day: NOON / DAY - 0.5, calls: 12, routes };
    await documents.write([{ collection: CALLS_BY_DAY.name, put: [day] }]);
    expect(await counts.series('minute', lumen, backend)).toEqual([{ at: NOON, calls: 1 }]);
    expect(await counts.series('hour', lumen, backend)).toEqual([
      { at: NOON - HOUR, calls: 12 },
      { at: NOON, calls: 1 },
    ]);
  });

  it('are removed when no page shows them any more', async () => {
    await noted(served());
    clock.advance(31 * DAY);
    await noted(served());
    expect(await documents.count(CALLS_BY_DAY.name)).toBe(2);
  });

  it('that could not be put are put with the next ones', async () => {
    const write = documents.write.bind(documents);
    documents.write = () => Promise.reject(new StoreUnavailable('down'));
    await noted(served());
    expect(logger.lines).toMatchObject([{ level: 'warn' }]);
    documents.write = write;
    await noted(served());
    expect((await counts.ofKeys(lumen)).get(backend)).toEqual({ last24Hours: 2, last7Days: 2 });
  });
});

describe('refused requests', () => {
  it('are kept with their rule, and successful ones are not', async () => {
    const problems = [{ field: 'limit', rule: 'must be a whole number from 1 to 100' }];
    log.note(served());
    log.note(refused('req_2', { status: 400, code: 'invalid_request', problems }));
    await log.write();
    expect(await requests.latest(lumen)).toEqual([
      { requestId: 'req_2', at: NOON, keyId: backend, route: ROSTER, status: 400, code: 'invalid_request', problems },
    ]);
  });

  it('have a bound in bytes', async () => {
    const problems = Array.from({ length: 20 }, () => ({ field: 'aliases', rule: 'x'.repeat(10_000) }));
    await noted(refused('req_2', { problems }));
    expect(JSON.stringify(await requests.latest(lumen)).length).toBeLessThan(1_100);
  });

  it('are the latest thousand, the newest first, also of several processes', async () => {
    for (let minute = 0; minute < 30; minute++) {
      for (let n = 0; n < 60; n++) log.note(refused(`req_${minute}_${n}`));
      await log.write();
      clock.advance(MINUTE);
      if (minute === 20) log = process();
    }
    const latest = await requests.latest(lumen);
    expect(latest).toHaveLength(REFUSED_KEPT);
    expect(latest[0]?.at).toBe(NOON + 29 * MINUTE);
    expect(latest.at(-1)?.at).toBe(NOON + 13 * MINUTE);
    expect(await documents.count(REFUSED_REQUESTS.name)).toBeLessThan(50);
  });

  it('of one second beyond the thousand are left out, the oldest first', async () => {
    for (let n = 0; n < 5_000; n++) log.note(refused(`req_${n}`));
    await log.write();
    const ids = (await requests.latest(lumen)).map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(REFUSED_KEPT);
    expect(ids).toContain('req_4999');
    expect(ids).not.toContain('req_3999');
  });

  it('that are written while others arrive are all kept', async () => {
    log.note(refused('req_1'));
    const writing = log.write();
    log.note(refused('req_2'));
    await Promise.all([writing, log.onApplicationShutdown()]);
    expect((await requests.latest(lumen)).map(({ requestId }) => requestId).sort()).toEqual(['req_1', 'req_2']);
  });
});
