import { type Duration, type EventLog, InvalidStoreUrl, MINUTE, SECOND, type StoredLog } from '#kernel';
import { Connection } from './connection.js';
import { EventStoreDbEventLog } from './eventstoredb-event-log.js';
import { EventStoreDbStoredLog } from './stored-log.js';
import { optionProblem } from './url-options.js';

export interface EventStoreDbEventLogOptions {
  /** `esdb://[user:password@]host:port[,host:port…][?tls=false&…]`, or `esdb+discover://` and a cluster's name. */
  readonly url: string;
  /** `background` waits longer for an answer: a copy has to succeed. A request needs its answer soon; the default. */
  readonly work?: 'requests' | 'background';
  /** How long idempotent calls are repeated without an answer; 5 s by default, 60 s in the background. */
  readonly retryFor?: Duration;
  /** How long one attempt waits for its answer; 3 s by default, 30 s in the background. */
  readonly attemptTimeout?: Duration;
}

const LIMITS = {
  requests: { retryFor: 5 * SECOND, attemptTimeout: 3 * SECOND },
  background: { retryFor: MINUTE, attemptTimeout: 30 * SECOND },
} as const;

/**
 * The event log of an EventStoreDB (23.10 or later) or KurrentDB, single or a cluster, shared by any number of
 * processes. Connects at the first use. Throws `InvalidStoreUrl` if `url` is no connection string.
 */
export function openEventStoreDbEventLog({
  url,
  work = 'requests',
  retryFor = LIMITS[work].retryFor,
  attemptTimeout = LIMITS[work].attemptTimeout,
}: EventStoreDbEventLogOptions): EventLog {
  return new EventStoreDbEventLog(connectionTo(url), { retryFor, attemptTimeout });
}

/** The stored log on the server, for auditors: background work. Throws `InvalidStoreUrl` if `url` is no connection string. */
export const openEventStoreDbStoredLog = ({
  url,
  retryFor = LIMITS.background.retryFor,
}: Pick<EventStoreDbEventLogOptions, 'url' | 'retryFor'>): StoredLog =>
  new EventStoreDbStoredLog(connectionTo(url), retryFor);

function connectionTo(url: string): Connection {
  const problem = optionProblem(url);
  if (problem !== undefined) throw new InvalidStoreUrl(`the URL of EventStoreDB cannot be used: ${problem}`);
  try {
    return new Connection(url);
  } catch {
    // The client's error message contains the URL with its password.
    throw new InvalidStoreUrl('not a connection string of EventStoreDB: esdb://host:port?tls=true|false');
  }
}
