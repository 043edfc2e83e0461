import { beforeEach, expect, test } from '@jest/globals';
import { type CreatorId, DAY, HOUR, InvalidAppend, MINUTE, type ScanId, streamName } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { operator } from '../support/operator.js';
import type { Creator } from '../support/resources.js';
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

const listed = async () => {
  const found = [];
  for await (const deadLetter of deadLetterList.all()) found.push(deadLetter);
  return found;
};
const untilDeadLetter = async () => {
  await service.passUntil(async () => expect(await listed()).not.toEqual([]));
  // As its timer does each second in a process.
  await clockWatch.check();
};
/** What `projections retry` does. */
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

test('a scan that was sent is uncertain when it is set aside, and fails after 72 hours (D87)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  refuse('scan.started.v1', 'scan.accepted.v1');
  const scan = await agency.scan(id);
  await agency.scanThatIs('uncertain', scan.id);
  expect((await agency.api.queueScan(id, 'too early')).outcome).toBe('409 scan_in_progress');
  await service.pass(71 * HOUR);
  expect(await agency.api.scan(scan.id)).toMatchObject({ status: 'uncertain' });
  await service.pass(HOUR);
  expect(await agency.scanThatIs('failed', scan.id)).toMatchObject({ error_code: 'outcome_unknown' });
  refuse();
  await agency.scanThatIs('completed', (await agency.scan(id)).id);
});

/** The clock is ahead by so much while this happens. */
const ahead = async (by: number, task: () => Promise<unknown>): Promise<void> => {
  service.clock.jump(by);
  await clockWatch.check();
  await task();
  service.clock.jump(-by);
  await clockWatch.check();
};

test('a clock that is ahead for a moment ends no scan that was set aside (D87, D93)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  refuse('scan.started.v1', 'scan.accepted.v1');
  const scan = await agency.scan(id);
  await agency.scanThatIs('uncertain', scan.id);
  // It is tried again while it is uncertain, and set aside again.
  for (let minutes = 0; minutes < 60; minutes += 10) await service.pass(10 * MINUTE);
  await ahead(4 * DAY, () => service.pass(MINUTE));
  expect(await agency.api.scan(scan.id)).toMatchObject({ status: 'uncertain' });
  await service.pass(72 * HOUR);
  expect(await agency.scanThatIs('failed', scan.id)).toMatchObject({ error_code: 'outcome_unknown' });
});

test('a scan that was set aside by a clock that was ahead fails after 72 hours, not after its false time (D87, D93)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  refuse('scan.started.v1', 'scan.accepted.v1');
  const scan = await agency.scan(id);
  await ahead(30 * DAY, async () => {
    await untilDeadLetter();
    await agency.scanThatIs('uncertain', scan.id);
  });
  for (let hours = 0; hours < 72; hours += 12) await service.pass(12 * HOUR);
  expect(await agency.scanThatIs('failed', scan.id)).toMatchObject({ error_code: 'outcome_unknown' });
});

test('projections retry continues a scan that was set aside (D87)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  refuse('scan.started.v1', 'scan.accepted.v1');
  const scan = await agency.scan(id);
  await agency.scanThatIs('uncertain', scan.id);
  await untilDeadLetter();
  refuse();
  await retryAll();
  await agency.scanThatIs('completed', scan.id);
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

test('a scan that may have been sent blocks its creator for 72 hours if its stream cannot be read (D87)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await unreadableScan(agency, id, 1);
  expect((await agency.api.queueScan(id, 'too early')).outcome).toBe('409 scan_in_progress');
  await service.pass(72 * HOUR);
  // The scheduled scan that was due comes first.
  await service.passUntil(async () => expect((await agency.api.queueScan(id, 'later')).outcome).toBe('202'));
});

test('an enrollment that was set aside fails after 72 hours, and can be tried again (D87)', async () => {
  const agency = await service.agency();
  refuse('creator.invitationSent.v1');
  const body = agency.inviteBody();
  await service.platform.fault({ operation: 'invite', kind: 'close_before', times: 1 });
  const { id } = bodyOf<Creator>(await agency.api.enroll(body));
  const last = async () => (await readStream(streamName('creator', id as CreatorId))).at(-1);
  await untilDeadLetter();
  await service.pass(71 * HOUR);
  expect(await last()).toMatchObject({ type: 'creator.invitationUnknown.v1' });
  await service.pass(HOUR);
  expect(await last()).toMatchObject({ type: 'creator.invitationRefused.v1', data: { code: 'outcome_unknown' } });
  refuse();
  const again = await agency.api.enroll(body);
  expect([again.status, (again.body as Creator).enrollment_status]).toEqual([201, 'invited']);
});
