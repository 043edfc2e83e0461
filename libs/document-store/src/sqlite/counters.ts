import type { Instant } from '#kernel';
import type { Connection } from './connection.js';

const ADD = `INSERT INTO "_counters" VALUES (?, ?, ?) ON CONFLICT ("name") DO UPDATE SET
    "value" = "value" + excluded."value", "expires_at" = max("expires_at", excluded."expires_at")
  RETURNING "value"`;

export const addToCounter = (connection: Connection, counter: string, by: number, expiresAt: Instant): number =>
  Number(connection.get(ADD, counter, by, expiresAt)?.value);

export const sweepCounters = (connection: Connection, now: Instant): number =>
  connection.run('DELETE FROM "_counters" WHERE "expires_at" < ?', now);
