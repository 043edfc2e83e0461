import { beforeEach, expect, it } from '@jest/globals';
import { CreatorsOptions } from '#creators';
import { CommandTasks, commandKinds, DeadLetters, TaskQueue } from '#jobs';
import { DomainError, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import { collectionName } from '#projections';
import { ScansOptions, scanDecider } from '#scans';
import { RecordingLogger } from '#testing';
import { CreatorRepository } from '../../creators/src/application/access/creator.repository.js';
import { InviteCreator } from '../../creators/src/application/enrollment/invite-creator.js';
import {
  activating,
  active,
  fact,
  invitee,
  linking,
  mia,
  miaUser,
  native,
  submitted,
} from '../../creators/src/domain/creator.fixtures.js';
import { observeMember } from '../../creators/src/domain/membership/observation.js';
import { QueueScan } from '../../scans/src/application/queue-scan.js';
import { CancelAndReleaseScans } from '../../scans/src/processes/cancel-and-release-scans.js';
import { given } from '../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../testing/src/tested-context.js';
import { ContextsModule } from './contexts.module.js';
import { TASK_JOBS, taskProjection } from './index.js';

const EVERY = 24 * HOUR;
const POLL_INVITATIONS = 5 * MINUTE;

let service: TestedContext;
let logger: RecordingLogger;

beforeEach(async () => {
  service = await testedContext(
    [ContextsModule],
    [
      given(CreatorsOptions, { syncEvery: POLL_INVITATIONS, providerTimeout: 5 * SECOND }),
      given(ScansOptions, { scheduleEvery: EVERY, pollEvery: 5 * SECOND, providerTimeout: 5 * SECOND }),
    ],
  );
  logger = new RecordingLogger();
  service.platform.users.set(miaUser, native());
  service.leaks.join(miaUser);
});

/** Walks and synchronizations have no part in these tests. */
const { caseWalk: _, rosterSync: __, ...jobs } = TASK_JOBS;

/** A worker that runs due work every second, for the given time. */
const aWorker = () => {
  const { clock, commands, get } = service;
  const kinds = commandKinds(get(CommandTasks), jobs, commands, get, get(DeadLetters), clock);
  const due = new TaskQueue(kinds, { head: async () => 0, reached: async () => 0 }, clock, logger);
  const cancelAndRelease = get(CancelAndReleaseScans);
  return {
    async work(length: number): Promise<void> {
      for (let passed = 0; passed < length; passed += SECOND) {
        await service.show(cancelAndRelease);
        await service.project();
        await due.runDue(clock.now());
        clock.advance(SECOND);
      }
      await service.project();
    },
  };
};

const waiting = async () => {
  const items = await service.documents.find(collectionName(taskProjection, 1), { index: 'next', limit: 100 });
  return items.map(({ id }) => id.split('-')[0]).sort();
};

it('advances a scan from its request to its end, step by step', async () => {
  await service.creatorDid(mia, ...active);
  const { scan } = await service.commands.execute(new QueueScan(mia, scope, 'key', contextOf()));
  const worker = aWorker();
  await worker.work(3 * SECOND);
  service.engine.progress(scan.scanId, { status: 'running' });
  await worker.work(10 * SECOND);
  service.engine.progress(scan.scanId, { status: 'completed' });
  await worker.work(10 * SECOND);
  expect(await service.typesOf(streamName('scan', scan.scanId))).toEqual([
    'scan.queued.v1',
    'scan.dispatchStarted.v1',
    'scan.accepted.v1',
    'scan.started.v1',
    'scan.completed.v1',
  ]);
  expect(await waiting()).toEqual(['caseWalk', 'rosterSync', 'scheduledScan']);
  expect(logger.lines).toEqual([]);
});

it('settles a lost order without a second job', async () => {
  await service.creatorDid(mia, ...active);
  const { scan } = await service.commands.execute(new QueueScan(mia, scope, 'key', contextOf()));
  service.engine.failNext({ outcome: 'lost', arrived: true });
  const worker = aWorker();
  await worker.work(5 * SECOND);
  service.engine.progress(scan.scanId, { status: 'completed' });
  await worker.work(10 * SECOND);
  expect((await service.runner.load(scanDecider, scan.scanId)).state).toMatchObject({ status: 'completed' });
  expect(service.engine.orders).toHaveLength(1);
});

it('keeps a completed scan whose creator is missing, and completes it when the creator is back (D67)', async () => {
  await service.creatorDid(mia, ...active);
  const { scan } = await service.commands.execute(new QueueScan(mia, scope, 'key', contextOf()));
  const worker = aWorker();
  await worker.work(3 * SECOND);
  service.engine.progress(scan.scanId, { status: 'completed' });
  service.leaks.leave(miaUser);
  await worker.work(60 * SECOND);
  const statusNow = async () => (await service.runner.load(scanDecider, scan.scanId)).state.status;
  expect([await statusNow(), logger.lines]).toEqual(['running', []]);
  service.leaks.join(miaUser);
  await worker.work(10 * SECOND);
  expect(await statusNow()).toBe('completed');
});

it('keeps a submitted identity while its creator is missing, and writes it when the creator is back (D67)', async () => {
  await service.creatorDid(mia, ...linking);
  service.platform.users.delete(miaUser);
  const worker = aWorker();
  await worker.work(4 * POLL_INVITATIONS);
  const isToWrite = async () => {
    const { state } = await service.creators.recorded(mia);
    return state.status === 'known' && state.identityToWrite !== null;
  };
  expect([await isToWrite(), logger.lines]).toEqual([true, []]);
  service.platform.users.set(miaUser, native());
  await service.get(CreatorRepository).update(mia, contextOf(), (state) => observeMember(state, native(), null));
  await worker.work(POLL_INVITATIONS);
  expect([await isToWrite(), logger.lines]).toEqual([false, []]);
});

it('releases the slot of an activation that was never completed', async () => {
  await service.creatorDid(mia, ...activating);
  service.platform.slots.add(miaUser);
  const worker = aWorker();
  await worker.work(30 * SECOND);
  expect(service.platform.slots.size).toBe(1);
  await worker.work(3 * SECOND);
  expect(service.platform.slots.size).toBe(0);
  expect(await waiting()).toEqual(['caseWalk', 'rosterSync']);
});

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;

it('asks ever more seldom for the slot of a creator that is seen again while the platform does not answer', async () => {
  await service.creatorDid(mia, ...active, fact('memberNotFound', {}), fact('slotReoccupationRequested', {}));
  const calls: number[] = [];
  service.platform.occupySlot = async () => {
    calls.push(service.clock.now());
    return timeout;
  };
  const since = service.clock.now();
  await aWorker().work(60 * SECOND);
  expect(calls.map((at) => (at - since) / SECOND)).toEqual([10, 11, 13, 17, 25, 41]);
});

it('does nothing outside a second time after the document store was thrown away', async () => {
  await service.creatorDid(mia, ...active);
  const request = { externalId: 'ext-2', identity: submitted, fingerprint: 'f', invitee };
  await service.commands.execute(new InviteCreator(scope, request, contextOf()));
  const { scan } = await service.commands.execute(new QueueScan(mia, scope, 'key', contextOf()));
  await aWorker().work(5 * SECOND);
  service.engine.progress(scan.scanId, { status: 'completed' });
  await aWorker().work(10 * SECOND);

  const effects = () => ({
    orders: service.engine.orders.length,
    calls: service.platform.calls.filter((call) => ['invite', 'updateIdentity', 'releaseSlot'].includes(call)),
  });
  const before = effects();
  const head = await service.log.head();
  await service.loseDocuments();
  await aWorker().work(20 * SECOND);
  expect(effects()).toEqual(before);
  expect(await service.log.head()).toBe(head);
});
