import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteStoredLog } from '#event-log';
import type { StoredLog } from '#kernel';
import { openedCheckpoint } from '../checkpoint.js';
import { parseSeal, SEALS, SealKey } from '../seal.js';
import { key, nameOf, recorded, SealedLog } from '../verification/sealed-log.fixtures.js';
import { consistencyText, NotAsSealed, newestCheckpoint, proofText, prove } from './prove.js';
import { isConsistent, isIncluded } from './rfc6962.fixtures.js';

let sealed: SealedLog;
let log: StoredLog;

beforeAll(async () => {
  sealed = await SealedLog.write();
  log = openSqliteStoredLog(sealed.original);
});

afterAll(async () => {
  await log.close();
  await sealed.remove();
});

const bytes = (texts: readonly string[]) => texts.map((text) => Buffer.from(text, 'base64'));
const checkpointIn = (note: string) => {
  const checkpoint = openedCheckpoint(note, key.publicKey);
  if (checkpoint === undefined) throw new Error('the key has not signed this');
  return { size: checkpoint.size, root: Buffer.from(checkpoint.root, 'base64url') };
};

describe('Proofs of a sealed log', () => {
  it('show each event in the newest checkpoint, by the lines under its hash', async () => {
    const { count } = sealed.newest.statement;
    const rows = sealed.rows.slice(0, count);
    const { events, missing } = await prove(log, key.publicKey, new Set(rows.map(({ id }) => id)));
    expect(missing).toEqual([]);
    expect(events.map(({ event, index }) => [event, index])).toEqual(rows.map(({ id }, index) => [id, index]));
    for (const { lines, index, path, checkpoint, event } of events) {
      const { size, root } = checkpointIn(checkpoint);
      expect(size).toBe(count);
      const hash = createHash('sha256').update(lines).digest('base64url');
      expect(isIncluded(hash, index, size, bytes(path), root)).toBe(true);
      expect(lines.split('\n')[3]).toBe(event);
    }
  });

  it('show that the log extends the one of each seal that was kept', async () => {
    const kept = sealed.rows.map(recorded).filter(({ type }) => type === 'seal.sealed.v1');
    expect(kept.length).toBeGreaterThan(3);
    for (const { data } of kept) {
      const from = data as typeof sealed.newest;
      const { consistency } = await prove(log, key.publicKey, new Set(), { from });
      const { size, root } = checkpointIn(consistency?.checkpoint ?? '');
      const before = Buffer.from(from.statement.root, 'base64url');
      expect(isConsistent(from.statement.count, size, before, root, bytes(consistency?.path ?? []))).toBe(true);
    }
  });

  it('name the ids that the checkpoint does not cover', async () => {
    const after = sealed.rows[sealed.newest.statement.count] as (typeof sealed.rows)[number];
    const { events, missing } = await prove(log, key.publicKey, new Set([after.id, 'evt_none']));
    expect(events).toEqual([]);
    expect(missing).toEqual([after.id, 'evt_none']);
  });

  it('are not made of a log that is not the sealed one', async () => {
    const row = sealed.rows[20] as (typeof sealed.rows)[number];
    const proving = async (change: Parameters<SealedLog['tamper']>[0], from = sealed.newest) => {
      const copy = openSqliteStoredLog(sealed.tamper(change));
      await prove(copy, key.publicKey, new Set([row.id]), { from }).finally(() => copy.close());
    };
    const { body } = row;
    const set = 'UPDATE events SET body = ? WHERE position = ?';
    // The text differs, and the hash in it does not.
    const changed = body.replace('"tiny":5e-324', '"tiny":6e-324');
    expect(changed).not.toBe(body);
    await expect(proving((db) => db.prepare(set).run(changed, row.position))).rejects.toThrow(NotAsSealed);
    await expect(proving((db) => db.prepare('DELETE FROM events WHERE position = 30').run())).rejects.toThrow(
      NotAsSealed,
    );
    const { statement } = sealed.newest;
    const rewritten = { ...sealed.newest, statement: { ...statement, root: 'A'.repeat(43) } };
    await expect(proving(() => undefined, rewritten)).rejects.toThrow('not those of the kept seal');
    const ahead = { ...sealed.newest, statement: { ...statement, count: statement.count + 1 } };
    await expect(proving(() => undefined, ahead)).rejects.toThrow('the newest checkpoint');
    await expect(prove(log, new SealKey(Buffer.alloc(32, 8)).publicKey, new Set())).rejects.toThrow(
      'has no checkpoint',
    );
  });

  it('need a kept seal of at least one event', () => {
    const { statement } = sealed.newest;
    for (const count of [-1, 0, 0.5]) {
      expect(parseSeal({ ...sealed.newest, statement: { ...statement, count } })).toBeUndefined();
    }
  });

  it('are written as C2SP says', async () => {
    const row = sealed.rows[5] as (typeof sealed.rows)[number];
    const { events, consistency } = await prove(log, key.publicKey, new Set([row.id]), { from: sealed.newest });
    const [proof] = events;
    if (proof === undefined || consistency === undefined) throw new Error('there is no proof');
    const [head, body] = [proofText(proof).split('\n\n', 1)[0] ?? '', proofText(proof)];
    const [version, extra, index, ...path] = head.split('\n');
    expect([version, index, path]).toEqual(['c2sp.org/tlog-proof@v1', 'index 5', proof.path]);
    expect(Buffer.from(extra?.slice('extra '.length) ?? '', 'base64').toString()).toBe(proof.lines);
    expect(body.endsWith(`\n\n${proof.checkpoint}`)).toBe(true);
    expect(consistencyText(consistency)).toBe(`old ${consistency.from}\n\n${consistency.checkpoint}`);
    expect(nameOf(row).stream).not.toBe(SEALS);
  });

  it('end in a checkpoint that only its key opens', async () => {
    const { checkpoint, statement, signer } = await newestCheckpoint(log, key.publicKey);
    expect(signer.id).toBe(key.publicKey.id);
    const opened = openedCheckpoint(checkpoint, key.publicKey);
    expect(opened).toMatchObject({ size: statement.count, root: statement.root });
    expect(opened?.origin).toMatch(/^log\/[A-Za-z0-9_-]{43}$/);
    expect(openedCheckpoint(checkpoint, new SealKey(Buffer.alloc(32, 8)).publicKey)).toBeUndefined();
    for (const other of [
      checkpoint.replace(`\n${statement.count}\n`, `\n${statement.count + 1}\n`),
      checkpoint.replace('log/', 'lag/'),
      checkpoint.slice(0, -1),
      `${checkpoint}\n`,
    ])
      expect(openedCheckpoint(other, key.publicKey)).toBeUndefined();
  });
});
