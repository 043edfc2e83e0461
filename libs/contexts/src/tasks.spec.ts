import { beforeEach, expect, it } from '@jest/globals';
import { CreatorsOptions } from '#creators';
import { CommandTasks, commandKinds, DeadLetters, TaskQueue } from '#jobs';
import { DomainError, HOUR, MINUTE, SECOND } from '#kernel';
import { ScansOptions, scanDecider } from '#scans';
import { RecordingLogger } from '#testing';
import { InviteCreator } from '../../creators/src/application/enrollment/invite-creator.js';
import { active, fact, invitee, mia, miaUser, native, submitted } from '../../creators/src/domain/creator.fixtures.js';
import { QueueScan } from '../../scans/src/application/queue-scan.js';
import { CancelAndReleaseScans } from '../../scans/src/processes/cancel-and-release-scans.js';
import { given } from '../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../testing/src/tested-context.js';
import { ContextsModule } from './contexts.module.js';
import { TASK_JOBS } from './index.js';

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

/** A worker that runs tasks every second, for the given time. */
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
    orders: service.engine.calls.length,
    calls: service.platform.calls.filter((call) => ['invite', 'updateIdentity', 'releaseSlot'].includes(call)),
  });
  const before = effects();
  const head = await service.log.head();
  await service.loseDocuments();
  await aWorker().work(20 * SECOND);
  expect(effects()).toEqual(before);
  expect(await service.log.head()).toBe(head);
});
