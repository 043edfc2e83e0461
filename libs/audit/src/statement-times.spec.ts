import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { DAY, type DomainEvent, type EventLog, HOUR, newEventId, SECOND, streamName } from '#kernel';
import { Sealing, SealKey, withHashChain } from '#tamper-evidence';
import type { Month } from '#usage';
import { creatorId, lumen, workspaceId } from './recording.fixtures.js';
import { sealsOf, withoutPrints } from './seals.js';
import { checkStatement } from './statement-check.js';
import { type StatementRequest, signedStatement } from './usage-statement.js';

const ACTIVATED = Date.parse('2026-11-05T00:00:00Z');
const NOW = ACTIVATED + 12 * DAY;
const pricing = { perCreatorMonth: 1_999, minimumMonthly: 500, currency: 'EUR' } as const;
const key = new SealKey(Buffer.alloc(32, 7));
const mia = creatorId('mia');
const stream = streamName('creator', mia);
const reason = 'api_request';

let directory: string;
let file: string;
let log: EventLog;

const append = async (to: ReturnType<typeof streamName>, { type, data }: DomainEvent, at: number) => {
  const metadata = { at, correlationId: 'req', causationId: null, actor: 'key:key_1', workspaceId };
  const id = newEventId();
  await log.append(to, 'any', [{ id, type, data, metadata }]);
  return id;
};

/** An account with one activation. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'statement-'));
  file = join(directory, 'events.db');
  log = withHashChain(openSqliteEventLog({ file }));
  const bound = { agencyId: lumen, workspaceId, epoch: 1, ownerUserId: 'owner' };
  await append(streamName('agency', lumen), { type: 'agency.bound.v1', data: bound }, ACTIVATED - DAY);
});
afterEach(async () => {
  await log.close();
  rmSync(directory, { recursive: true });
});

const activate = () => append(stream, { type: 'creator.protectionActivated.v1', data: { reason } }, ACTIVATED);
const pause = (at: number, data: object = {}) =>
  append(stream, { type: 'creator.protectionPaused.v1', data: { reason, ...data } }, at);
const stated = async (request: Partial<Pick<StatementRequest, 'month' | 'asOf'>> = {}) => {
  await new Sealing(log, key, 10).sealAll(NOW);
  const seals = await Array.fromAsync(sealsOf(log), ({ data }) => withoutPrints(data));
  return signedStatement(log, seals, { agencyId: lumen, pricing, month: '2026-11' as Month, ...request }, NOW, key);
};
const faultsOf = async (value: unknown, { publicKey } = key) => {
  const stored = openSqliteStoredLog(file);
  const { faults } = await checkStatement(JSON.parse(JSON.stringify(value)), stored, publicKey);
  await stored.close();
  return faults;
};

it("D81: a statement as of a feed event names the feed event's own time, and is valid", async () => {
  const publishedAt = ACTIVATED + 5 * SECOND;
  const cause = await activate();
  const published = publicEvent(
    { type: 'protection.activated', creatorId: mia, data: {} },
    { id: cause, at: ACTIVATED, workspaceId },
    publishedAt,
  );
  const fromCause = publish(published, { eventId: cause, stream, revision: 0 });
  await append(streamName(EVENT_FEED, workspaceId), fromCause, publishedAt);
  await pause(ACTIVATED + DAY);
  const signed = await stated({ asOf: { kind: 'event', eventId: published.id } });
  expect(signed.statement.as_of).toEqual({ kind: 'event', at: publishedAt });
  expect(signed.statement.explanation.totals.active_milliseconds).toBe(publishedAt - ACTIVATED);
  expect(await faultsOf(signed)).toEqual([]);
});

it("D81: a statement charges the minimum from the account's first month on, and is valid before it too", async () => {
  await activate();
  await pause(ACTIVATED + DAY);
  const first = await stated();
  expect(first.statement.explanation.totals).toMatchObject({ minimum_monthly_cents: 500, estimated_total_cents: 500 });
  const before = await stated({ month: '2026-10' as Month });
  expect(before.statement.explanation.totals).toMatchObject({ minimum_monthly_cents: 500, estimated_total_cents: 0 });
  for (const signed of [first, before]) expect(await faultsOf(signed)).toEqual([]);
});

it('D85: a statement stays valid after a change of the key, for a verifier that has either of them', async () => {
  await activate();
  const signed = await stated();
  const newKey = new SealKey(Buffer.alloc(32, 8));
  await new Sealing(log, { current: newKey, all: [newKey, key] }).changeKey(key, NOW);
  for (const given of [key, newKey]) expect(await faultsOf(signed, given)).toEqual([]);
});

it('D44: a statement has usage until a pause by a clock that was ahead, as of any time, and is valid', async () => {
  const paused = ACTIVATED + 5 * HOUR;
  const ahead = ACTIVATED + 10 * DAY;
  await activate();
  await append(stream, { type: 'creator.memberFound.v1', data: {} }, ahead);
  await pause(ahead, { pausedAt: paused });
  for (const [asOf, active] of [
    [undefined, 5 * HOUR],
    [paused + HOUR, 5 * HOUR],
    [ahead + HOUR, 5 * HOUR],
    [paused - HOUR, 4 * HOUR],
  ] as const) {
    const signed = await stated(asOf === undefined ? {} : { asOf: { kind: 'time', at: asOf } });
    expect(signed.statement.explanation.totals.active_milliseconds).toBe(active);
    expect(await faultsOf(signed)).toEqual([]);
  }
});
