import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteEventLog, openSqliteStoredLog } from '#event-log';
import { DAY, derivedId, type EventLog, eventsOf, HOUR, newEventId, streamName } from '#kernel';
import { SEALS, Sealing, SealKey, withHashChain } from '#tamper-evidence';
import type { Month, Pricing } from '#usage';
import { creatorId, lumen, workspaceId } from './recording.fixtures.js';
import { sealsOf, withoutPrints } from './seals.js';
import { checkStatement, type StatementFault } from './statement-check.js';
import { type SignedUsageStatement, signedStatement } from './usage-statement.js';

const BEGINNING = Date.parse('2026-11-01T00:00:00Z');
const NOW = BEGINNING + 12 * DAY;
const month = '2026-11' as Month;
const pricing: Pricing = { perCreatorMonth: 1_999, minimumMonthly: 500, currency: 'EUR' };
const key = new SealKey(Buffer.alloc(32, 7));
const OTHER = derivedId('workspace', 'another agency');
const creators = ['ada', 'bea', 'cleo', 'dora'].map(creatorId);

let directory: string;
let file: string;
let log: EventLog;
let copies = 0;

/** Every creator is switched on and off, one after the other, a few hours apart. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'statement-'));
  file = join(directory, 'events.db');
  log = withHashChain(openSqliteEventLog({ file }));
  const sealing = new Sealing(log, key, 10);
  const ends = new Map<string, number>();
  for (let n = 0; n < 36; n++) {
    const at = BEGINNING + n * 7 * HOUR;
    const stream = streamName('creator', creators[n % creators.length] ?? '');
    const isOn = Math.floor(n / creators.length) % 2 === 0;
    const type = `creator.protection${isOn ? 'Activated' : 'Paused'}.v1`;
    const metadata = { at, correlationId: `req_${n}`, causationId: null, actor: 'key:key_1', workspaceId };
    const event = { id: newEventId(), type, data: { reason: 'api_request' }, metadata };
    ends.set(stream, (await log.append(stream, ends.get(stream) ?? 'none', [event])).revision);
    await sealing.runDue(at);
  }
  const stranger = { at: NOW, correlationId: 'o', causationId: null, actor: 'key:key_other', workspaceId: OTHER };
  const ofOther = { id: newEventId(), type: 'creator.protectionPaused.v1', data: {}, metadata: stranger };
  await log.append(streamName('creator', creatorId('of another agency')), 'none', [ofOther]);
  await sealing.sealAll(NOW);
  const metadata = { at: NOW + 1, correlationId: 'late', causationId: null, actor: 'key:key_1', workspaceId };
  const late = { id: newEventId(), type: 'creator.protectionPaused.v1', data: { reason: 'api_request' }, metadata };
  await log.append(streamName('creator', creators[0] ?? ''), 'any', [late]);
});

afterAll(async () => {
  await log.close();
  rmSync(directory, { recursive: true });
});

const seals = () => Array.fromAsync(sealsOf(log), ({ data }) => withoutPrints(data));
const stated = async (asOf?: Parameters<typeof signedStatement>[2]['asOf']) =>
  signedStatement(log, await seals(), { agencyId: lumen, month, asOf, pricing }, NOW, key);

const check = async (value: unknown, of = file, publicKey = key.publicKey): Promise<readonly StatementFault[]> => {
  const stored = openSqliteStoredLog(of);
  const checked = checkStatement(JSON.parse(JSON.stringify(value)), stored, publicKey);
  return (await checked.finally(() => stored.close())).faults;
};

/** A copy of the log in which something was done to the table of events. */
const copy = (...statements: string[]): string => {
  const path = join(directory, `copy-${++copies}.db`);
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  copyFileSync(file, path);
  const tampered = new DatabaseSync(path);
  for (const statement of statements) tampered.exec(statement);
  tampered.close();
  return path;
};

describe('a statement', () => {
  it('says what the month consists of, up to which event, and under which seal', async () => {
    const { statement } = await stated();
    const newest = (await seals()).at(-1);
    expect(statement.explanation.totals.active_creator_count).toBe(creators.length);
    expect(statement.explanation.price).toMatchObject({ per_creator_month_cents: 1_999 });
    expect(statement.log).toEqual({
      events: newest?.statement.count,
      size: newest?.statement.count,
      root: newest?.statement.root,
    });
    expect(statement.as_of).toEqual({ kind: 'now', at: NOW });
  });

  it('D110: names no event, stream or key of another agency or of the whole log', async () => {
    const text = JSON.stringify(await stated());
    const events = await Array.fromAsync(eventsOf(log));
    const others = events.filter(({ metadata }) => metadata.workspaceId !== workspaceId);
    expect(new Set(others.map(({ stream }) => stream))).toContain(SEALS);
    expect(others.length).toBeGreaterThan(3);
    for (const { id, stream, metadata } of others) {
      expect([id, stream, metadata.actor].filter((name) => name !== '' && text.includes(name))).toEqual([]);
    }
  });

  it('of version 1, which names its last event and its seal, is still checked', async () => {
    const { statement } = await stated();
    const seal = (await seals()).at(-1);
    const ofVersion1 = (change: object) => {
      const { events } = statement.log;
      const again = { ...statement, version: 1, log: { last_event: seal?.statement.through, events, seal, ...change } };
      return { statement: again, signature: key.sign(`usage_statement.v1\n${JSON.stringify(again)}`) };
    };
    expect(await check(ofVersion1({}))).toEqual([]);
    const another = { ...seal?.statement.through, id: newEventId() };
    expect(await check(ofVersion1({ last_event: another }))).toMatchObject([{ path: 'log.last_event.id' }]);
    expect(await check(ofVersion1({ seal: undefined }))).toMatchObject([{ kind: 'form' }]);
  });

  it('holds against the log that it was made from, though that has grown', async () => {
    expect(await check(await stated())).toEqual([]);
  });

  it('as of a time or of an event includes only that, under the first seal over it, and is valid', async () => {
    const events = await Array.fromAsync(eventsOf(log));
    const event = events[14];
    if (event === undefined) throw new Error('the log is too short');
    for (const asOf of [
      { kind: 'event', eventId: event.id },
      { kind: 'time', at: event.metadata.at + HOUR },
    ] as const) {
      const signed = await stated(asOf);
      const { log: extent, explanation } = signed.statement;
      expect(extent.size).toBeGreaterThanOrEqual(extent.events);
      expect(extent.size).toBeLessThan(events.length - 10);
      expect(Date.parse(explanation.measured_through)).toBe(asOf.kind === 'time' ? asOf.at : event.metadata.at);
      if (asOf.kind === 'event') expect(extent.events).toBe(15);
      expect(await check(signed)).toEqual([]);
    }
  });

  it('is not made of events that no seal covers, nor of the future', async () => {
    const [late] = await log.readStream(streamName('creator', creators[0] ?? ''), { direction: 'backwards', limit: 1 });
    const refused = (code: string, field: string) => ({ code, fields: [expect.objectContaining({ field })] });
    for (const [make, refusal] of [
      [() => stated({ kind: 'event', eventId: late?.id ?? '' }), refused('invalid_request', 'as-of')],
      [() => stated({ kind: 'time', at: NOW + DAY }), refused('invalid_request', 'as-of')],
      [() => stated({ kind: 'time', at: BEGINNING - DAY }), refused('invalid_request', 'month')],
      [() => stated({ kind: 'event', eventId: newEventId() }), refused('not_found', 'the log')],
      [() => signedStatement(log, [], { agencyId: lumen, month, pricing }, NOW, key), refused('not_found', 'the log')],
    ] as const)
      await expect(make()).rejects.toMatchObject(refusal);
  });
});

describe('a statement that was tampered with', () => {
  /** The path of each text, number, truth and nothing in it. */
  const leaves = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]))
      : [path];

  const other = (value: unknown): unknown => {
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'string') return value.endsWith('0') ? `${value.slice(0, -1)}1` : `${value.slice(0, -1)}0`;
    return 1;
  };

  const changed = (signed: SignedUsageStatement, path: readonly string[], change: (value: unknown) => unknown) => {
    const again = JSON.parse(JSON.stringify(signed));
    const parent = path.slice(0, -1).reduce((member, name) => member[name], again);
    const name = path.at(-1) ?? '';
    parent[name] = change(parent[name]);
    return again;
  };

  it('does not hold if any of its members was changed or removed', async () => {
    const signed = await stated();
    const paths = leaves(signed);
    expect(paths.length).toBeGreaterThan(150);
    // All that is of the statement itself, and a few of the many days and intervals.
    const chosen = paths.filter((path, index) => !/days|intervals/.test(path.join('.')) || index % 25 === 0);
    for (const path of chosen) {
      expect({ path, faults: (await check(changed(signed, path, other))).length }).not.toMatchObject({ faults: 0 });
      expect({ path, faults: (await check(changed(signed, path, () => undefined))).length }).not.toMatchObject({
        faults: 0,
      });
    }
  });

  it('does not hold with a signature in another spelling', async () => {
    const signed = await stated();
    const { signature } = signed;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet[alphabet.indexOf(signature.slice(-1)) + 1] ?? '';
    for (const other of [signature.slice(0, -1) + last, `${signature}==`, ` ${signature}`]) {
      expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
      expect(await check({ ...signed, signature: other })).toMatchObject([{ path: 'signature' }]);
    }
  });

  it('gets a list of what differs from the log', async () => {
    const signed = await stated();
    const cheaper = changed(signed, ['statement', 'explanation', 'totals', 'estimated_total_cents'], () => 1);
    const faults = await check(cheaper);
    expect(faults.map(({ kind }) => kind)).toEqual(['signature', 'explanation']);
    const { estimated_total_cents: total } = signed.statement.explanation.totals;
    expect(faults[1]).toEqual({
      kind: 'explanation',
      path: 'explanation.totals.estimated_total_cents',
      message: `is 1; the log says ${total}`,
    });
  });

  it('does not hold with any addition, nor if it is not a statement', async () => {
    const signed = await stated();
    expect(await check({ ...signed, note: 'paid' })).not.toEqual([]);
    expect(await check({ ...signed, statement: { ...signed.statement, note: 'paid' } })).not.toEqual([]);
    for (const value of [null, 7, 'text', [], {}, { statement: null, signature: '' }, signed.statement]) {
      expect(await check(value)).toMatchObject([{ kind: 'form' }]);
    }
  });

  it('signed again with the right key but with wrong figures is not valid either', async () => {
    const signed = await stated();
    const forged = changed(signed, ['statement', 'explanation', 'creators', '0', 'active_milliseconds'], other);
    const signature = key.sign(`usage_statement.v2\n${JSON.stringify(forged.statement)}`);
    expect(await check({ ...forged, signature })).toMatchObject([
      { kind: 'explanation', path: 'explanation.creators.0.active_milliseconds' },
    ]);
  });

  it('does not hold under another key', async () => {
    const faults = await check(await stated(), file, new SealKey(Buffer.alloc(32, 8)).publicKey);
    expect(faults).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'signature', path: 'key' })]));
    expect(faults).toEqual(expect.arrayContaining([expect.objectContaining({ path: 'log.root' })]));
  });
});

describe('against a log that was tampered with', () => {
  const LATER = `replace(body, '"at":${BEGINNING + 35 * HOUR}', '"at":${BEGINNING + 36 * HOUR}')`;

  it.each([
    ['an event was changed', `UPDATE events SET body = ${LATER} WHERE body LIKE '%"req_5"%'`],
    ['an event was taken out', 'DELETE FROM events WHERE position = 7'],
    ['the end was cut off', 'DELETE FROM events WHERE position > 30'],
    ['only the beginning is left', 'DELETE FROM events WHERE position > 4'],
  ])('a statement is not valid, and the fault in the log is named: %s', async (_, statement) => {
    const faults = await check(await stated(), copy(statement));
    expect(faults).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'log' })]));
  });

  it('a statement holds where only what came after its seal was changed', async () => {
    const signed = await stated({ kind: 'time', at: BEGINNING + 60 * HOUR });
    const { size: count } = signed.statement.log;
    const body = `replace(body, 'key:key_1', 'key:key_2')`;
    expect(await check(signed, copy(`UPDATE events SET body = ${body} WHERE position = ${count + 5}`))).toEqual([]);
    expect(await check(signed, copy(`UPDATE events SET body = ${body} WHERE position = ${count - 1}`))).not.toEqual([]);
  });
});
