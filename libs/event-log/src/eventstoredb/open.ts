import { type Duration, type EventLog, SECOND, type StoredLog } from '#kernel';
import { Connection } from './connection.js';
import { EventStoreDbEventLog } from './eventstoredb-event-log.js';
import { EventStoreDbStoredLog } from './stored-log.js';

export interface EventStoreDbEventLogOptions {
  /** `esdb://[user:password@]host:port[,host:port…][?tls=false&…]`, or `esdb+discover://` and a cluster's name. */
  readonly url: string;
  /** How long idempotent calls are repeated without an answer; 5 s by default. */
  readonly retryFor?: Duration;
  /** How long one attempt waits for its answer; 3 s by default. */
  readonly attemptTimeout?: Duration;
}

/**
 * The event log of an EventStoreDB (23.10 or later) or KurrentDB, single or a cluster, shared by any number of
 * processes. Connects at the first use. Throws a `TypeError` if `url` is no connection string.
 */
export function openEventStoreDbEventLog({
  url,
  retryFor = 5 * SECOND,
  attemptTimeout = 3 * SECOND,
}: EventStoreDbEventLogOptions): EventLog {
  return new EventStoreDbEventLog(connectionTo(url), { retryFor, attemptTimeout });
}

/** The stored log on the server, for auditors. Throws a `TypeError` if `url` is no connection string. */
export const openEventStoreDbStoredLog = ({
  url,
  retryFor = 5 * SECOND,
}: Omit<EventStoreDbEventLogOptions, 'attempt'>): StoredLog => new EventStoreDbStoredLog(connectionTo(url), retryFor);

function connectionTo(url: string): Connection {
  try {
    return new Connection(url);
  } catch {
    // The client's error message contains the URL with its password.
    throw new TypeError('not a connection string of EventStoreDB: esdb://host:port?tls=true|false');
  }
}
