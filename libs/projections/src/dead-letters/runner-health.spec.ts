import { beforeEach, describe, expect, it } from '@jest/globals';
import { DeadLetters } from '#jobs';
import { LanePositions, SECOND } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { RunnerHealth } from './dead-letter-list.js';

const LISTS = 'lists';
const JOBS = 'jobs';

let service: TestedContext;
let elapsed: number;
let progress: LanePositions;

beforeEach(async () => {
  elapsed = 0;
  progress = new LanePositions(new InMemoryDocumentStore(), () => elapsed);
  service = await testedContext([], [given(LanePositions, progress)]);
});

const status = () => service.get(RunnerHealth).status([LISTS, JOBS], [LISTS]);
const head = () => service.log.head();

const recordDeadLetter = async (itemId: string) => {
  const cause = { id: 'e', correlationId: 'c' };
  const item = { kind: 'dueItem', itemId, dueKind: 'scan', subject: itemId, cause } as const;
  const deadLetter = { runner: JOBS, part: null, item };
  await service
    .get(DeadLetters)
    .record(deadLetter, new Error('broken'), { ...cause, workspaceId: contextOf().workspaceId });
  await service.project();
};

describe('the status of the runners', () => {
  it('has the lag of those that follow the log, and is good when all have reached its end', async () => {
    progress.report(LISTS, await head());
    expect(await status()).toEqual({
      isDegraded: false,
      deadLetters: 0,
      runners: [
        { name: LISTS, lag: 0, deadLetters: 0 },
        { name: JOBS, lag: undefined, deadLetters: 0 },
      ],
    });
  });

  it('is degraded while something is set aside (D67)', async () => {
    progress.report(LISTS, await head());
    await recordDeadLetter('one');
    expect(await status()).toMatchObject({
      isDegraded: true,
      deadLetters: 1,
      runners: [{}, { name: JOBS, deadLetters: 1 }],
    });
  });

  it('is degraded when a runner that is behind has not advanced for five seconds (D68)', async () => {
    progress.report(LISTS, 0);
    const behind = { runners: [{ name: LISTS, lag: await head() }, {}] };
    expect(await status()).toMatchObject({ isDegraded: false, ...behind });
    elapsed = 5 * SECOND;
    expect(await status()).toMatchObject({ isDegraded: true, ...behind });
    progress.report(LISTS, await head());
    expect(await status()).toMatchObject({ isDegraded: false });
  });
});
