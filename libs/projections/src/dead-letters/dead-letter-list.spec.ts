import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CaseList, caseListProjection } from '#cases';
import { CasesModule } from '#cases/module';
import { ALL_PROJECTIONS } from '#contexts';
import { DeadLetters, endOf, Lane } from '#jobs';
import {
  derivedId,
  type EventLog,
  LanePositions,
  LiveCollections,
  newEventId,
  type RecordedEvent,
  silentLogger,
  streamName,
  WORKER_LEASE,
} from '#kernel';
import { eventually, type InMemoryDocumentStore } from '#testing';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { ReadModelsConsumer } from '../consumer/read-models-consumer.js';
import { byRunner, laneOfReadModels, READ_MODELS } from '../engine/read-models-runner.js';
import { Rebuild } from '../rebuild/rebuild.js';
import { DeadLetterList, deadLetterProjection } from './dead-letter-list.js';

const workspaceId = derivedId('workspace', 'lumen');
const creatorId = derivedId('creator', 'mia');
const caseOf = (name: string) => derivedId('case', name);
const BAD = 'bad';
const finding = {
  status: 'found',
  statusCode: 'found',
  actionable: null,
  deadOnArrival: null,
  createdAt: 1,
  updatedAt: 2,
};

let service: TestedContext;
let log: EventLog;
let documents: InMemoryDocumentStore;
let runner: Lane;
let starts = 0;
let list: DeadLetterList;

beforeEach(async () => {
  service = await testedContext([CasesModule]);
  ({ log, documents } = service);
  list = service.get(DeadLetterList);
});
afterEach(() => runner.stop());

/** One of them lacks what the fold of the list needs. */
const openCase = async (name: string) => {
  const personal = name === BAD ? undefined : { url: 'https://leaks.example/1' };
  const data = { caseId: caseOf(name), creatorId, workspaceId, leakId: name, scanId: null, ...finding, personal };
  const metadata = { at: 1, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId };
  const stream = streamName('case', caseOf(name));
  await log.append(stream, 'none', [{ id: newEventId(), type: 'case.opened.v1', data, metadata }]);
};

const start = async () => {
  const lease = await documents.acquireLease(WORKER_LEASE, String(++starts), Number.MAX_SAFE_INTEGER, 1);
  const { get } = service;
  const progress = get(LanePositions);
  const consumer = new ReadModelsConsumer(documents, get(Rebuild), byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? []);
  runner = new Lane(
    { name: laneOfReadModels(READ_MODELS), consumers: [consumer] },
    lease?.fence ?? 0,
    log,
    documents,
    progress,
    get(DeadLetters),
    silentLogger,
  );
  runner.start();
  return async () => expect(await progress.waitForPosition([READ_MODELS], await log.head(), 10_000)).toBe(true);
};
const cases = async () => {
  const { items } = await service.get(CaseList).page(creatorId, { limit: 9 });
  return items.map(({ leakId }) => leakId).toSorted();
};
const listed = () => list.list();

/** As a later version of the program reads it. */
const fixed = (source: EventLog): EventLog => {
  const personal = { url: 'https://a.b/' };
  const fix = (event: RecordedEvent) =>
    event.type === 'case.opened.v1' ? { ...event, data: { ...event.data, personal } } : event;
  const readLog: EventLog['readLog'] = async (options) => {
    const page = await source.readLog(options);
    return { ...page, events: page.events.map(fix) };
  };
  return Object.assign(Object.create(source), { readLog });
};

describe('an event that a read model cannot fold (D67)', () => {
  it('is set aside for that one: the others continue, and its lists are known to be incomplete', async () => {
    for (const name of ['a', BAD, 'b']) await openCase(name);
    const reached = await start();
    await reached();
    await reached();
    expect(await cases()).toEqual(['a', 'b']);
    expect(await listed()).toMatchObject([{ runner: READ_MODELS, part: 'cases', scope: 'cases', workspaceId }]);
    expect(await list.isComplete(workspaceId, ['cases'])).toBe(false);
    expect(await list.isComplete(workspaceId, ['usage_months'])).toBe(true);
    expect(await list.isComplete(derivedId('workspace', 'nova'), ['cases'])).toBe(true);
    expect(await list.countByRunner()).toEqual(new Map([[READ_MODELS, 1]]));
  });

  it('is counted for each runner, up to 1,000, however much another one has', async () => {
    const deadLetterDocuments = (runner: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `${runner}:${n}`, runner, workspaceId, scope: runner }));
    const put = [
      ...deadLetterDocuments('case-walks', 1_500),
      ...deadLetterDocuments('publisher', 2),
      ...deadLetterDocuments('webhooks', 999),
    ];
    await documents.write([{ collection: await service.get(LiveCollections).of(deadLetterProjection), put }]);
    expect([...(await list.countByRunner())]).toEqual([
      ['case-walks', 1_000],
      ['publisher', 2],
      ['webhooks', 999],
    ]);
  });

  it('is known as soon as the checkpoint is past it', async () => {
    const write = documents.write.bind(documents);
    const seen: boolean[] = [];
    await openCase(BAD);
    const [bad] = (await log.readStream(streamName('case', caseOf(BAD)))) as [RecordedEvent];
    documents.write = async (writes, checkpoint) => {
      await write(writes, checkpoint);
      if (checkpoint?.name !== laneOfReadModels(READ_MODELS) || checkpoint.position < bad.position) return;
      seen.push(await list.isComplete(workspaceId, ['cases']));
    };
    const reached = await start();
    await reached();
    expect(new Set(seen)).toEqual(new Set([false]));
  });

  it('stops no rebuild, which leaves it set aside', async () => {
    for (const name of ['a', BAD]) await openCase(name);
    const reached = await start();
    await reached();
    await service.get(Rebuild).run([caseListProjection]);
    await reached();
    expect([await cases(), (await listed()).length]).toEqual([['a'], 1]);
  });

  it('is set aside by a rebuild that meets it first', async () => {
    for (const name of ['a', BAD]) await openCase(name);
    // An older build has moved the checkpoint without a list, so all are rebuilt (D112).
    await documents.write([], { name: laneOfReadModels(READ_MODELS), fence: 0, ...(await endOf(log)) });
    await start();
    await eventually(async () => (await listed()).length > 0);
    expect(await listed()).toMatchObject([{ part: 'cases' }]);
  });

  it('is made good by a rebuild that can process it', async () => {
    for (const name of ['a', BAD]) await openCase(name);
    const reached = await start();
    await reached();
    await new Rebuild(fixed(log), documents, service.get(DeadLetters), list).run([caseListProjection]);
    await runner.stop();
    await (await start())();
    expect(await cases()).toEqual(['a', BAD]);
    expect(await listed()).toEqual([]);
    expect(await list.isComplete(workspaceId, ['cases'])).toBe(true);
  });
});
