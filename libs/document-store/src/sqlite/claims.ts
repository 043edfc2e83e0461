import { type Checkpoint, type EventInLog, Fenced, type Instant, type Lease, WORKER_LEASE } from '#kernel/ports';
import type { Connection } from './connected.js';

const MOVE = `INSERT INTO "_positions" VALUES (?, ?, ?, ?) ON CONFLICT ("name")
  DO UPDATE SET "position" = excluded."position", "fence" = excluded."fence", "event" = excluded."event"
  WHERE excluded."fence" >= "fence"`;

export const moveCheckpoint = (connection: Connection, { name, position, fence, event }: Checkpoint): void => {
  const named = event === undefined ? null : JSON.stringify(event);
  if (connection.run(MOVE, name, position, fence, named) === 0) throw new Fenced(name);
};

/** Reads the one with the newer fence, because an earlier version of the program may have run since. */
const READ = `SELECT "position", "fence", "event" FROM "_positions" WHERE "name" = ?1
  UNION ALL SELECT "position", "fence", NULL FROM "_checkpoints" WHERE "name" = ?1
  AND "fence" > coalesce((SELECT "fence" FROM "_positions" WHERE "name" = ?1), -1)
  ORDER BY "fence" DESC LIMIT 1`;

export const readCheckpoint = (connection: Connection, name: string): Checkpoint | undefined => {
  const row = connection.get(READ, name);
  if (row === undefined) return undefined;
  const event = row.event === null ? {} : { event: JSON.parse(String(row.event)) as EventInLog };
  return { name, position: Number(row.position), fence: Number(row.fence), ...event };
};

const IS_REPLACED = 'SELECT 1 FROM "_leases" WHERE "name" = ? AND "fence" > ?';

export const requireLeader = (connection: Connection, fence: number): void => {
  if (connection.get(IS_REPLACED, WORKER_LEASE, fence) !== undefined) throw new Fenced(WORKER_LEASE);
};

// A released lease keeps its row, without a holder, so that its fence never goes back.
const TAKE = `INSERT INTO "_leases" VALUES (?, ?, 1, ?) ON CONFLICT ("name") DO UPDATE SET
    "fence" = "fence" + ("holder" IS NOT excluded."holder"), "holder" = excluded."holder", "until" = excluded."until"
  WHERE "holder" IS NULL OR "holder" = excluded."holder" OR "until" <= ?
  RETURNING "fence"`;

export const takeLease = (
  connection: Connection,
  name: string,
  holder: string,
  now: Instant,
  until: Instant,
): Lease | undefined => {
  const taken = connection.get(TAKE, name, holder, until, now);
  return taken && { name, holder, fence: Number(taken.fence), until };
};

export const giveBackLease = (connection: Connection, name: string, holder: string): void => {
  connection.run('UPDATE "_leases" SET "holder" = NULL WHERE "name" = ? AND "holder" = ?', name, holder);
};

const HELD = 'SELECT "holder", "fence", "until" FROM "_leases" WHERE "name" = ? AND "holder" IS NOT NULL';

export const heldLease = (connection: Connection, name: string): Lease | undefined => {
  const row = connection.get(HELD, name);
  return row && { name, holder: String(row.holder), fence: Number(row.fence), until: Number(row.until) };
};
