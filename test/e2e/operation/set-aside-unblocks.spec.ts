import { beforeEach, expect, test } from '@jest/globals';
import { InvalidAppend, type ScanId, streamName } from '#kernel';
import type { Agency } from '../support/agency.js';
import { operator } from '../support/operator.js';
import { startService } from '../support/start-service.js';

// A stream that cannot be read is not in a cache.
const service = await startService({ env: { CACHES: 'off' } });
const { log, deadLetters, deadLetterList, clockWatch } = service.services;

/** The types of events that cannot be recorded, which is a fault of the item itself (D67). */
let refused: ReadonlySet<string>;
/** The stream whose events of revisions up to this one cannot be read. */
let unreadable: { readonly stream?: string; readonly upTo: number };

const append = log.append.bind(log);
log.append = async (stream, expected, events) => {
  if (events.some(({ type }) => refused.has(type))) throw new InvalidAppend('refused');
  return append(stream, expected, events);
};
const readStream = log.readStream.bind(log);
log.readStream = async (stream, options) => {
  if (stream === unreadable.stream && (options?.from ?? 0) <= unreadable.upTo)
    throw new TypeError('an event cannot be read');
  return readStream(stream, options);
};
beforeEach(async () => {
  refused = new Set();
  unreadable = { upTo: -1 };
  await retryAll();
  await service.quiet();
});

const listed = () => deadLetterList.list();
const untilDeadLetter = async () => {
  await service.passUntil(async () => expect(await listed()).not.toEqual([]));
  // As its timer does each second in a process.
  await clockWatch.check();
};
/** Does the same as `projections retry`. */
const retryAll = async () => {
  for (const { runner, part, item } of await listed()) await deadLetters.retry({ runner, part, item }, operator());
};
const refuse = (...types: string[]) => {
  refused = new Set(types);
};

test('a scan that was never sent fails when it is set aside, and the next one is accepted (D87)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  refuse('scan.dispatchStarted.v1');
  const scan = await agency.scan(id);
  const failed = await agency.scanThatIs('failed', scan.id);
  expect(failed).toMatchObject({ error_code: 'outcome_unknown', svc_job_id: null });
  refuse();
  await agency.scanThatIs('completed', (await agency.scan(id)).id);
});

/** A scan that was set aside because the first events of its stream cannot be read. */
const unreadableScan = async (agency: Agency, creatorId: string, upTo: number) => {
  const scan = await service.whileNothingIsDone(async () => {
    const queued = await agency.scan(creatorId);
    unreadable = { stream: streamName('scan', queued.id as ScanId), upTo };
    return queued;
  });
  await untilDeadLetter();
  return scan;
};

test('a scan that was never sent does not block its creator though its stream cannot be read (D87)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const scan = await unreadableScan(agency, id, 0);
  const next = await agency.scan(id);
  expect(next.id).not.toBe(scan.id);
  await agency.scanThatIs('completed', next.id);
});
