import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import {
  type CollectionWrite,
  CommandRunner,
  type DocumentStore,
  type EventLog,
  LanePositions,
  type LogPage,
  silentLogger,
} from '#kernel';
import { FakeClock } from '#testing';
import { added, contextOf, type Tally, tallyDecider } from '../../kernel/src/deciding/tally.fixtures.js';
import { DeadLetters } from './dead-letters/dead-letters.js';
import { Lane } from './lanes/lane.js';
import { Leader } from './leader/leader.js';
import { Leases } from './leases/leases.js';

/** The parts of a process; processes share only the files. */
interface Process {
  readonly log: EventLog;
  readonly documents: DocumentStore;
  readonly runner: CommandRunner;
}

let directory: string;
let processes: Process[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kernel-'));
  processes = ['a', 'b', 'c'].map(() => {
    const log = openSqliteEventLog({ file: join(directory, 'events.db'), pollEvery: 2 });
    const documents = openSqliteDocumentStore({ file: join(directory, 'documents.db') });
    return { log, documents, runner: new CommandRunner(log, new FakeClock()) };
  });
});

afterEach(async () => {
  for (const { log, documents } of processes) {
    await log.close();
    await documents.close();
  }
  rmSync(directory, { recursive: true });
});

it('several processes keep a limit under concurrent commands', async () => {
  const decide = ({ total }: Tally) => (total < 5 ? [added(1)] : []);
  const decided = await Promise.all(
    processes.flatMap(({ runner }) =>
      Array.from({ length: 8 }, () => runner.run(tallyDecider, 'a', contextOf(), decide)),
    ),
  );
  expect(decided.flatMap(({ events }) => events)).toHaveLength(5);
  for (const { runner } of processes) expect((await runner.load(tallyDecider, 'a')).state.total).toBe(5);
});

it('one of several processes leads, the others know its position, and one of them takes over', async () => {
  const shown: unknown[] = [];
  const runners = processes.map(({ log, documents, runner: commands }, n) => {
    const consumer = {
      name: 'witness',
      types: new Set(['tally.added.v1']),
      async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
        shown.push(...page.events.map(({ data }) => data));
        return [];
      },
    };
    const progress = new LanePositions(documents);
    const deadLetters = new DeadLetters(commands);
    const leader = new Leader(new Leases(documents, new FakeClock(), `h${n}/1/1/`), silentLogger);
    leader.start(async ({ fence, over }) => {
      const lane = new Lane(
        { name: 'views', consumers: [consumer] },
        fence,
        log,
        documents,
        progress,
        deadLetters,
        silentLogger,
      );
      lane.start();
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
      await lane.stop();
    });
    return { leader, progress };
  });
  const append = async (by: number) =>
    (await processes[by % 3]?.runner.run(tallyDecider, 'a', contextOf(), () => [added(by)]))?.position ?? 0;

  for (let by = 0; by < 10; by++) await append(by);
  const head = await append(10);
  for (const { progress } of runners) expect(await progress.waitForPosition(['views'], head, 5_000)).toBe(true);

  const holder = runners.findIndex(({ leader }) => leader.role === 'leader');
  await runners[holder]?.leader.stop();
  const next = await append(11);
  const waiting = runners
    .filter((_, n) => n !== holder)
    .map(({ progress }) => progress.waitForPosition(['views'], next, 5_000));
  expect(await Promise.all(waiting)).toEqual([true, true]);
  expect(shown).toEqual(Array.from({ length: 12 }, (_, by) => ({ by })));
  await Promise.all(runners.map(({ leader }) => leader.stop()));
});
