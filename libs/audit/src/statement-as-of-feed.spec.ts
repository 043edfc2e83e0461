import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { DAY, type DomainEvent, type EventLog, newEventId, type RecordedEvent, SECOND, streamName } from '#kernel';
import { SEALS, type Sealed, Sealing, SealKey, withHashChain } from '#tamper-evidence';
import type { Month } from '#usage';
import { creatorId, lumen, workspaceId } from './recording.fixtures.js';
import { checkStatement } from './statement-check.js';
import { type StatementRequest, signedStatement } from './usage-statement.js';

const ACTIVATED = Date.parse('2026-11-05T00:00:00Z');
const PUBLISHED_AT = ACTIVATED + 5 * SECOND;
const NOW = ACTIVATED + 3 * DAY;
const pricing = { perCreatorMonth: 1_999, minimumMonthly: 500, currency: 'EUR' } as const;
const key = new SealKey(Buffer.alloc(32, 7));
const mia = creatorId('mia');

let directory: string;
let file: string;
let log: EventLog;
let feedEventId: string;

const append = async (stream: ReturnType<typeof streamName>, { type, data }: DomainEvent, at: number) => {
  const metadata = { at, correlationId: 'req', causationId: null, actor: 'key:key_1', workspaceId };
  const id = newEventId();
  await log.append(stream, 'any', [{ id, type, data, metadata }]);
  return id;
};

/** An account with one activation, which its feed publishes five seconds later; then the creator is paused. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'statement-'));
  file = join(directory, 'events.db');
  log = withHashChain(openSqliteEventLog({ file }));
  const bound = { agencyId: lumen, workspaceId, epoch: 1, ownerUserId: 'owner' };
  await append(streamName('agency', lumen), { type: 'agency.bound.v1', data: bound }, ACTIVATED - DAY);
  const switched = { reason: 'api_request' };
  const stream = streamName('creator', mia);
  const cause = await append(stream, { type: 'creator.protectionActivated.v1', data: switched }, ACTIVATED);
  const published = publicEvent(
    { type: 'protection.activated', creatorId: mia, data: {} },
    { id: cause, at: ACTIVATED, workspaceId },
    PUBLISHED_AT,
  );
  feedEventId = published.id;
  await append(
    streamName(EVENT_FEED, workspaceId),
    publish(published, { eventId: cause, stream, revision: 0 }),
    PUBLISHED_AT,
  );
  await append(stream, { type: 'creator.protectionPaused.v1', data: switched }, ACTIVATED + DAY);
  await new Sealing(log, key, 10).sealAll(NOW);
});

afterAll(async () => {
  await log.close();
  rmSync(directory, { recursive: true });
});

const stated = async (request: Pick<StatementRequest, 'month' | 'asOf'>) => {
  const seals = ((await log.readStream(SEALS)) as RecordedEvent<Sealed>[]).map(
    ({ data: { statement, signature } }) => ({ statement, signature }),
  );
  return signedStatement(log, seals, { agencyId: lumen, pricing, ...request }, NOW, key);
};
const faultsOf = async (value: unknown, { publicKey } = key) => {
  const stored = openSqliteStoredLog(file);
  const { faults } = await checkStatement(JSON.parse(JSON.stringify(value)), stored, publicKey);
  await stored.close();
  return faults;
};

it("D81: a statement as of a feed event names the feed event's own time, and is valid", async () => {
  const signed = await stated({ month: '2026-11' as Month, asOf: { kind: 'event', eventId: feedEventId } });
  const { as_of, explanation } = signed.statement;
  expect(as_of).toEqual({ kind: 'event', at: PUBLISHED_AT });
  expect(explanation.totals.active_milliseconds).toBe(PUBLISHED_AT - ACTIVATED);
  expect(await faultsOf(signed)).toEqual([]);
});

it("D81: a statement charges the minimum from the account's first month on, and is valid before it too", async () => {
  const first = await stated({ month: '2026-11' as Month });
  expect(first.statement.explanation.totals).toMatchObject({ minimum_monthly_cents: 500, estimated_total_cents: 500 });
  const before = await stated({ month: '2026-10' as Month });
  expect(before.statement.explanation.totals).toMatchObject({ minimum_monthly_cents: 500, estimated_total_cents: 0 });
  for (const signed of [first, before]) expect(await faultsOf(signed)).toEqual([]);
});

it('D85: a statement stays valid after a change of the key, for a verifier that has either of them', async () => {
  const signed = await stated({ month: '2026-11' as Month });
  const newKey = new SealKey(Buffer.alloc(32, 8));
  await new Sealing(log, { current: newKey, all: [newKey, key] }).changeKey(key, NOW);
  for (const given of [key, newKey]) expect(await faultsOf(signed, given)).toEqual([]);
});
