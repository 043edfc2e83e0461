import { type Duration, type EventLog, SECOND, type StoredLog } from '#kernel';
import { Connection } from './connection.js';
import { EventStoreDbEventLog } from './eventstoredb-event-log.js';
import { EventStoreDbStoredLog } from './stored-log.js';

export interface EventStoreDbEventLogOptions {
  /** `esdb://[user:password@]host:port[,host:port…][?tls=false&…]`, or `esdb+discover://` and a cluster's name. */
  readonly url: string;
  /** How long what may be repeated is repeated while no answer comes, 5 s where it is left out. */
  readonly patience?: Duration;
  /** How long one attempt waits for its answer, 3 s where it is left out. */
  readonly attempt?: Duration;
}

/**
 * The event log of an EventStoreDB (23.10 or later) or KurrentDB, single or a cluster, shared by any number of
 * processes. Connects when it is used. Throws a `TypeError` for what is no connection string.
 */
export function openEventStoreDbEventLog({
  url,
  patience = 5 * SECOND,
  attempt = 3 * SECOND,
}: EventStoreDbEventLogOptions): EventLog {
  return new EventStoreDbEventLog(connectionTo(url), { patience, attempt });
}

/** What the server holds of the log, for auditors. Throws a `TypeError` for what is no connection string. */
export const openEventStoreDbStoredLog = ({
  url,
  patience = 5 * SECOND,
}: Omit<EventStoreDbEventLogOptions, 'attempt'>): StoredLog => new EventStoreDbStoredLog(connectionTo(url), patience);

function connectionTo(url: string): Connection {
  try {
    return new Connection(url);
  } catch {
    // The client's own words repeat the URL, and the password in it.
    throw new TypeError('not a connection string of EventStoreDB: esdb://host:port?tls=true|false');
  }
}
