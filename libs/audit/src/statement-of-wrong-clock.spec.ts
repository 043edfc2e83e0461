import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { DAY, type DomainEvent, HOUR, newEventId, type RecordedEvent, streamName } from '#kernel';
import { SEALS, type Sealed, Sealing, SealKey, withHashChain } from '#tamper-evidence';
import type { Month } from '#usage';
import { creatorId, lumen, workspaceId } from './recording.fixtures.js';
import { checkStatement } from './statement-check.js';
import { signedStatement } from './usage-statement.js';

const ACTIVATED = Date.parse('2026-11-05T00:00:00Z');
const PAUSED = ACTIVATED + 5 * HOUR;
const AHEAD = ACTIVATED + 10 * DAY;
const NOW = ACTIVATED + 12 * DAY;
const pricing = { perCreatorMonth: 1_999, minimumMonthly: 500, currency: 'EUR' } as const;
const key = new SealKey(Buffer.alloc(32, 7));

/** A creator that is paused after its stream has an event by a clock that was ten days ahead. */
const givenLog = async (file: string) => {
  const log = withHashChain(openSqliteEventLog({ file }));
  const append = async (stream: ReturnType<typeof streamName>, { type, data }: DomainEvent, at: number) => {
    const metadata = { at, correlationId: 'req', causationId: null, actor: 'key:key_1', workspaceId };
    await log.append(stream, 'any', [{ id: newEventId(), type, data, metadata }]);
  };
  const bound = { agencyId: lumen, workspaceId, epoch: 1, ownerUserId: 'owner' };
  await append(streamName('agency', lumen), { type: 'agency.bound.v1', data: bound }, ACTIVATED - DAY);
  const stream = streamName('creator', creatorId('mia'));
  const reason = 'api_request';
  await append(stream, { type: 'creator.protectionActivated.v1', data: { reason } }, ACTIVATED);
  await append(stream, { type: 'creator.memberFound.v1', data: {} }, AHEAD);
  await append(stream, { type: 'creator.protectionPaused.v1', data: { reason, pausedAt: PAUSED } }, AHEAD);
  await new Sealing(log, key, 10).sealAll(NOW);
  return log;
};

it('D44: a statement has usage until the pause, as of any time, and is valid', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'statement-'));
  const file = join(directory, 'events.db');
  const log = await givenLog(file);
  const seals = ((await log.readStream(SEALS)) as RecordedEvent<Sealed>[]).map(
    ({ data: { statement, signature } }) => ({ statement, signature }),
  );
  for (const [asOf, active] of [
    [undefined, 5 * HOUR],
    [PAUSED + HOUR, 5 * HOUR],
    [AHEAD + HOUR, 5 * HOUR],
    [PAUSED - HOUR, 4 * HOUR],
  ] as const) {
    const moment = asOf === undefined ? undefined : ({ kind: 'time', at: asOf } as const);
    const request = { agencyId: lumen, month: '2026-11' as Month, asOf: moment, pricing };
    const signed = await signedStatement(log, seals, request, NOW, key);
    expect(signed.statement.explanation.totals.active_milliseconds).toBe(active);
    const stored = openSqliteStoredLog(file);
    expect((await checkStatement(JSON.parse(JSON.stringify(signed)), stored, key.publicKey)).faults).toEqual([]);
    await stored.close();
  }
  await log.close();
  rmSync(directory, { recursive: true });
});
