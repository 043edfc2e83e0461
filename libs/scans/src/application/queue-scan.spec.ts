import { beforeEach, describe, expect, it } from '@jest/globals';
import { importCreator } from '#creators';
import { DAY, DomainError, derivedId, type ScanId, type UserId } from '#kernel';
import { CreatorsModule } from '../../../creators/src/creators.module.js';
import { agency, eveUser, mia, miaUser, native } from '../../../creators/src/domain/creator.fixtures.js';
import { type Stage, stage } from '../../../creators/src/stage.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { completeScan, dispatchScan, recordJob, scanDecider } from '../domain/scan.js';
import { admitScan, scanAllowanceDecider } from '../domain/scan-allowance.js';
import { ScansModule } from '../scans.module.js';
import { QueueScan } from './queue-scan.js';
import { ScanEngine } from './scan-engine.js';
import { ScanQueue } from './scan-queue.js';

const eve = derivedId('creator', 'eve');

const never = () => Promise.reject(new Error('queueing calls no engine'));

let s: Stage;
let engine: { configured: boolean };

const activate = async (creatorId: typeof mia, userId: UserId): Promise<void> => {
  s.platform.users.set(userId, native({ userId }));
  const importing = { creatorId, ...s.scope, externalId: `svc:${userId}` };
  await s.creatorRepository.update(creatorId, s.context, (state) =>
    importCreator(state, importing, native({ userId })),
  );
  await s.activateProtection(creatorId, s.scope, s.context);
};
const pause = () => s.pauseProtection(mia, s.scope, s.context);
const queue = (key: string, creatorId = mia, by = s.scope) =>
  s.commands.execute(new QueueScan(creatorId, by, key, s.context));
const end = async (scanId: ScanId): Promise<void> => {
  const job = { jobId: `job of ${scanId}`, status: 'completed', errorCode: null, finishedAt: null } as const;
  await s.runner.run(scanDecider, scanId, s.context, (scan) => dispatchScan(scan, []));
  await s.runner.run(scanDecider, scanId, s.context, (scan, at) => recordJob(scan, job, at));
  await s.runner.run(scanDecider, scanId, s.context, (scan, at) => completeScan(scan, job, at));
};

beforeEach(async () => {
  engine = { configured: true };
  const idle = Object.assign(engine, { dispatch: never, findJob: never, getJob: never });
  s = await stage([given(ScanEngine, idle)], [CreatorsModule, ScansModule]);
  await activate(mia, miaUser);
});

it.each([DAY / 2, 365 * DAY])('D46, D93: a clock that was ahead by %i ms changes no later limit', async (ahead) => {
  s.clock.jump(ahead);
  await end((await queue('at a false time')).scan.scanId);
  s.clock.jump(-ahead);
  for (const day of [1, 2]) {
    s.clock.advance(2 * DAY);
    for (let n = 0; n < 5; n++) await end((await queue(`${day} ${n}`)).scan.scanId);
    await expect(queue('one more')).rejects.toMatchObject({ code: 'scan_limit_reached' });
  }
});

describe('queueing a manual scan', () => {
  it('answers with the scan as queued', async () => {
    expect(await queue('k1')).toMatchObject({
      isNew: true,
      scan: { status: 'queued', source: 'manual', creatorId: mia, createdAt: s.clock.now() },
    });
  });

  it('D45: the same key is the same scan, before every gate', async () => {
    const first = await queue('k1');
    await pause();
    s.platform.failure = new DomainError('provider_unavailable');
    s.platform.calls.length = 0;
    engine.configured = false;
    expect(await queue('k1', mia, { ...s.scope, epoch: 2 })).toEqual({ scan: first.scan, isNew: false });
    expect(s.platform.calls).toEqual([]);
  });

  it('D45: shows the scan as it is now', async () => {
    const first = await queue('k1');
    await end(first.scan.scanId);
    expect(await queue('k1')).toMatchObject({ isNew: false, scan: { status: 'completed' } });
  });

  it('D45: a key stays in use for good, even if its scan no longer counts', async () => {
    const first = await queue('k1');
    await end(first.scan.scanId);
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      s.clock.advance(365 * DAY);
      await end((await queue(key)).scan.scanId);
    }
    expect(await queue('k1')).toMatchObject({ isNew: false, scan: { scanId: first.scan.scanId } });
    await activate(eve, eveUser);
    await expect(queue('k1', eve)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('D45: the same key for another creator conflicts', async () => {
    await activate(eve, eveUser);
    await queue('k1');
    await expect(queue('k1', eve)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect((await queue('k2', eve)).isNew).toBe(true);
  });

  it('D45: of two creators that race for one key one wins, and the other has lost nothing by it', async () => {
    await activate(eve, eveUser);
    const outcomes = await Promise.allSettled([queue('k1'), queue('k1', eve)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = outcomes[0]?.status === 'rejected' ? mia : eve;
    const { state } = await s.runner.load(scanAllowanceDecider, loser);
    expect(state).toEqual({ pending: null, manual: [] });
  });

  it('concurrent requests with the same key make one scan', async () => {
    const both = await Promise.all([queue('k1'), queue('k1')]);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(both[0].scan.scanId).toBe(both[1].scan.scanId);
  });

  it('keys of different agencies are separate', async () => {
    const id = (agencyName: string) => derivedId('scan', agencyName, 'manual', 'k1');
    expect((await queue('k1')).scan.scanId).toBe(id(agency));
    expect(id(agency)).not.toBe(id('ag_other'));
  });
});

describe('the gates of a scan, in order', () => {
  const gates: [string, string, () => unknown][] = [
    ['rebinding', 'creator_rebinding_required', () => Promise.resolve()],
    ['active protection', 'creator_not_eligible', () => pause()],
    [
      'eligibility',
      'creator_not_eligible',
      () => {
        s.platform.users.set(miaUser, native({ entitlement: { active: false, source: null } }));
      },
    ],
    [
      'a configured engine',
      'svc_engine_not_configured',
      () => {
        engine.configured = false;
      },
    ],
    ['no pending scan', 'scan_in_progress', () => queue('pending')],
  ];

  it.each(gates.map(([name], index) => [name, index] as const))('D46: %s', async (_name, index) => {
    for (const [, , close] of gates.slice(index).reverse()) await close();
    const by = index === 0 ? { ...s.scope, epoch: 2 } : s.scope;
    await expect(queue('k1', mia, by)).rejects.toMatchObject({ code: gates[index]?.[1] });
  });

  it('D46: the limit comes last, and says when to try again', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) await end((await queue(key)).scan.scanId);
    await expect(queue('f')).rejects.toMatchObject({ code: 'scan_limit_reached', retryAfterSeconds: 86_400 });
    s.clock.advance(DAY);
    expect((await queue('f')).isNew).toBe(true);
  });

  it('D45: only accepted requests consume a key', async () => {
    await queue('pending');
    await expect(queue('k1')).rejects.toThrow(DomainError);
    await activate(eve, eveUser);
    expect((await queue('k1', eve)).isNew).toBe(true);
  });

  it('D46: as soon as the pending one reads as ended, the next is accepted', async () => {
    await end((await queue('k1')).scan.scanId);
    expect((await queue('k2')).isNew).toBe(true);
  });
});

describe('a crash between the two streams', () => {
  it('leaves an admission that opening completes, as does a retry of the request', async () => {
    const admission = {
      scanId: derivedId('scan', agency, 'manual', 'k1'),
      creatorId: mia,
      agencyId: agency,
      source: 'manual' as const,
    };
    await s.runner.run(scanAllowanceDecider, mia, s.context, (state, at) => admitScan(state, admission, undefined, at));
    expect(await queue('k1')).toMatchObject({ isNew: true, scan: { status: 'queued' } });
    const scans = s.get(ScanQueue);
    const { allowance } = await scans.loadAllowance(mia);
    expect(await scans.open(allowance, admission, s.context)).toMatchObject({
      isNew: false,
      scan: { status: 'queued' },
    });
  });

  it('whose retry has another key is in progress until it is opened', async () => {
    const admission = {
      scanId: derivedId('scan', agency, 'manual', 'k1'),
      creatorId: mia,
      agencyId: agency,
      source: 'manual' as const,
    };
    await s.runner.run(scanAllowanceDecider, mia, s.context, (state, at) => admitScan(state, admission, undefined, at));
    await expect(queue('k2')).rejects.toMatchObject({ code: 'scan_in_progress' });
  });
});
