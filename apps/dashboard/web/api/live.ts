import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf, call, isReachable, useSignal } from './client.js';

const PROBE_EVERY_MS = 2_000;

const probe = async (client: QueryClient): Promise<void> => {
  // Any answer of the service will do, even that the session has ended.
  await call('/api/session').catch(() => undefined);
  if (isReachable.get()) await client.invalidateQueries();
};

/** Says whether the service answers. While it does not, asks every 2 seconds, and then refreshes what the page shows. */
export function useConnectionWatch(): boolean {
  const client = useQueryClient();
  const reachable = useSignal(isReachable);
  useEffect(() => {
    if (reachable) return;
    const timer = setInterval(() => void probe(client), PROBE_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, reachable]);
  return reachable;
}

/** How long to wait after the service has refused a connection. */
const REFUSED_MS = 30_000;
const CHANNEL = 'creator-protection-live';
/** Stands for all topics, after changes may have been missed. */
const ALL = '*';
/** A tab that gets the connection within this time has just fetched what it shows. */
const FRESH_MS = 1_000;

/** Messages on the connection are lists of the first parts of query keys. */
const topicsIn = (data: unknown): readonly string[] => {
  const topics: unknown = typeof data === 'string' ? JSON.parse(data) : data;
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
};

interface Connection {
  readonly address: string;
  readonly announce: (topics: readonly string[]) => void;
  readonly signal: AbortSignal;
  /** No tab had the connection for some time. */
  readonly mayHaveMissed: boolean;
}

const connect = ({ address, announce, signal, mayHaveMissed }: Connection): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let source: EventSource;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = mayHaveMissed;
  const open = (): void => {
    source = new EventSource(address);
    source.onmessage = ({ data }) => announce(topicsIn(data));
    source.onopen = () => {
      if (hasMissed) announce([ALL]);
      hasMissed = false;
    };
    // A session has few connections, and newer windows have them. Until a person comes back to this one, it fetches what
    // it shows at its usual interval.
    source.addEventListener('replaced', () => {
      hasMissed = true;
      source.close();
      window.addEventListener('focus', open, { once: true, signal });
    });
    source.onerror = () => {
      hasMissed = true;
      // The watch of the connection asks whether the service answers; then everything is fetched again.
      isReachable.set(false);
      // A browser connects again, unless the service has refused it.
      if (source.readyState === EventSource.CLOSED) waiting = setTimeout(open, REFUSED_MS);
    };
  };
  open();
  signal.addEventListener('abort', () => {
    clearTimeout(waiting);
    source.close();
    resolve();
  });
  return promise;
};

/**
 * Fetches again what has changed on the server, while the page is visible. All tabs of a browser share one connection: the
 * tab that holds the lock has it, and sends to the others. Returns what ends it.
 */
export const followChanges = (client: QueryClient): (() => void) => {
  const address = addressOf('/api/live');
  const channel = new BroadcastChannel(`${CHANNEL} ${address}`);
  let visible: AbortController | undefined;

  const fetchAgain = (topics: readonly string[]): void => {
    for (const topic of topics) void client.invalidateQueries(topic === ALL ? {} : { queryKey: [topic] });
  };
  channel.onmessage = ({ data }) => {
    // A page that is shown again fetches everything.
    if (visible !== undefined) fetchAgain(topicsIn(data));
  };
  const announce = (topics: readonly string[]): void => {
    fetchAgain(topics);
    channel.postMessage(topics);
  };

  const follow = (): void => {
    if (document.visibilityState === 'hidden') {
      visible?.abort();
      visible = undefined;
      return;
    }
    if (visible !== undefined) return;
    visible = new AbortController();
    const { signal } = visible;
    // Changes may have happened while the page was hidden.
    void client.invalidateQueries();
    const asked = performance.now();
    const takeOver = () => connect({ address, announce, signal, mayHaveMissed: performance.now() - asked > FRESH_MS });
    navigator.locks.request(`${CHANNEL} ${address}`, { signal }, takeOver).catch(() => undefined);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    visible?.abort();
    channel.close();
  };
};
