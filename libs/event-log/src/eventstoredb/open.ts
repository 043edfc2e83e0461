import { type Duration, type EventLog, InvalidStoreUrl, MINUTE, SECOND, type StoredLog } from '#kernel';
import { Connection } from './connection.js';
import { EventStoreDbEventLog } from './eventstoredb-event-log.js';
import { EventStoreDbStoredLog } from './reader.js';

/** The options of a connection string that the client knows, in lower case and without `_` and `-`, as it reads them. */
const KNOWN: ReadonlySet<string> = new Set([
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlsverifycert',
  'tlscafile',
  'throwonappendfailure',
  'keepaliveinterval',
  'keepalivetimeout',
]);

/** For options that it does not know, the client would print the URL with its password and continue (D95). */
const optionProblem = (url: string): string | undefined => {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  for (const [name, value] of new URLSearchParams(query)) {
    const known = name.trim().toLowerCase().replace(/[_-]/g, '');
    if (!KNOWN.has(known)) return `the option ${printable(name)} is not known`;
    if (known === 'tlsverifycert' && value.trim() === 'false') {
      return 'tlsVerifyCert=false is not supported; name the authority in tlsCAFile';
    }
  }
  return undefined;
};

/** A name is short and ASCII; anything longer may be a value that lost its `&`. */
const printable = (name: string): string => (/^[\w.-]{1,40}$/.test(name) ? name : 'in its query');

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

/** EventStoreDB 23.10 or later, or KurrentDB. Connects at the first use. Throws `InvalidStoreUrl`. */
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
