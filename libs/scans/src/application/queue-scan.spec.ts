import { beforeEach, describe, expect, it } from '@jest/globals';
import { importCreator } from '#creators';
import { DeadLetters, DUE_WORK } from '#jobs';
import { DAY, DomainError, derivedId, OUTCOME_TIMEOUT, type ScanId, streamName, type UserId } from '#kernel';
import { CreatorsModule } from '../../../creators/src/creators.module.js';
import { agency, eveUser, mia, miaUser, native } from '../../../creators/src/domain/creator.fixtures.js';
import { type Stage, stage } from '../../../creators/src/stage.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { completeScan, dispatchScan, recordJob, scanDecider } from '../domain/scan.js';
import { admitScan, scanAllowanceDecider } from '../domain/scan-allowance.js';
import { ScansModule } from '../scans.module.js';
import { ScanEngine } from './ports.js';
import { QueueScan, ScanQueue } from './queue-scan.js';

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
  it('D45: the same key is the same scan, before every gate', async () => {
    const first = await queue('k1');
    await pause();
    s.platform.failure = new DomainError('provider_unavailable');
    s.platform.calls.length = 0;
    engine.configured = false;
    expect(await queue('k1', mia, { ...s.scope, epoch: 2 })).toEqual({ scan: first.scan, isNew: false });
    expect(s.platform.calls).toEqual([]);
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
});

describe('D87: a pending scan that was set aside because its stream cannot be read', () => {
  const unreadable = async (wasSent: boolean) => {
    const { scanId } = (await queue('first')).scan;
    if (wasSent) await s.runner.run(scanDecider, scanId, s.context, (scan) => dispatchScan(scan, []));
    const stream = streamName('scan', scanId);
    const read = s.log.readStream.bind(s.log);
    s.log.readStream = async (from, options) => {
      if (from === stream && (options?.from ?? 0) <= Number(wasSent)) throw new TypeError('an event cannot be read');
      return read(from, options);
    };
    s.runner.forget();
    await expect(queue('second')).rejects.toThrow('cannot be read');
    const cause = { id: 'cause', correlationId: 'c' };
    const item = { kind: 'dueItem', itemId: stream, dueKind: 'scan', subject: scanId, cause } as const;
    const deadLetter = { runner: DUE_WORK, part: null, item };
    await s.get(DeadLetters).record(deadLetter, new TypeError(), { ...cause, workspaceId: s.scope.workspaceId });
  };

  it('does not block its creator if it was never sent', async () => {
    await unreadable(false);
    expect((await queue('second')).isNew).toBe(true);
  });

  it('blocks its creator for 72 hours if it may have been sent', async () => {
    await unreadable(true);
    s.clock.advance(OUTCOME_TIMEOUT - 1);
    await expect(queue('second')).rejects.toMatchObject({ code: 'scan_in_progress' });
    s.clock.advance(1);
    expect((await queue('second')).isNew).toBe(true);
  });
});
