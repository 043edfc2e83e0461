import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SetAsideEvent } from '#jobs';
import { type EventLog, newEventId, Progress, SECOND, streamName } from '#kernel';
import { InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { Projecting } from '../read-models/projected.fixtures.js';
import { type SetAsideDocument, SetAsideList, setAsideProjection } from '../set-asides/set-aside-list.js';
import { GetRunnerStatus, GetRunnerStatusHandler } from './get-runner-status.js';

const LISTS = 'lists';
const JOBS = 'jobs';

let log: EventLog;
let elapsed: number;
let progress: Progress;
let setAsides: Projecting<SetAsideDocument, SetAsideEvent>;
let handler: GetRunnerStatusHandler;

const status = () => handler.execute(new GetRunnerStatus([LISTS, JOBS], [LISTS]));

beforeEach(async () => {
  log = new InMemoryEventLog();
  elapsed = 0;
  progress = new Progress(new InMemoryDocumentStore(), () => elapsed);
  setAsides = new Projecting(setAsideProjection);
  handler = new GetRunnerStatusHandler(log, progress, new SetAsideList(setAsides.readModel));
  const metadata = { at: 1, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
  await log.append(streamName('thing', '1'), 'none', [{ id: newEventId(), type: 'thing.made.v1', data: {}, metadata }]);
});

const setAside = (itemId: string) => ({
  type: 'setAside.setAside.v1' as const,
  data: {
    runner: JOBS,
    part: null,
    item: {
      kind: 'dueItem' as const,
      itemId,
      dueKind: 'scan',
      subject: itemId,
      cause: { id: 'e', correlationId: 'c' },
    },
    error: 'broken',
    tries: 3,
  },
});

describe('the status of the runners', () => {
  it('has the lag of those that follow the log, and is good when all have reached its end', async () => {
    progress.report(LISTS, await log.head());
    expect(await status()).toEqual({
      isDegraded: false,
      setAside: 0,
      runners: [
        { name: LISTS, lag: 0, setAside: 0 },
        { name: JOBS, lag: undefined, setAside: 0 },
      ],
    });
  });

  it('is degraded while something is set aside (D67)', async () => {
    progress.report(LISTS, await log.head());
    await setAsides.record(streamName('setAside', 'one'), setAside('one'));
    expect(await status()).toMatchObject({ isDegraded: true, setAside: 1, runners: [{}, { name: JOBS, setAside: 1 }] });
  });

  it('is degraded when a runner that is behind has not advanced for five seconds (D68)', async () => {
    progress.report(LISTS, 0);
    const behind = { runners: [{ name: LISTS, lag: await log.head() }, {}] };
    expect(await status()).toMatchObject({ isDegraded: false, ...behind });
    elapsed = 5 * SECOND;
    expect(await status()).toMatchObject({ isDegraded: true, ...behind });
    progress.report(LISTS, await log.head());
    expect(await status()).toMatchObject({ isDegraded: false });
  });
});
