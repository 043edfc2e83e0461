import type { QueryClient } from '@tanstack/react-query';
import { addressOf, isReachable } from './client.js';

/** How long to wait after the service has refused a connection. */
const REFUSED_MS = 30_000;
const CHANNEL = 'creator-protection-live';
/** In place of the names of queries: changes may have been missed. */
const ALL = '*';
/** A tab that gets the connection sooner has just fetched what it shows. */
const FRESH_MS = 1_000;

/** What arrives on the connection: the names of queries. */
const topicsIn = (data: unknown): readonly string[] => {
  const topics: unknown = typeof data === 'string' ? JSON.parse(data) : data;
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
};

interface Connection {
  readonly address: string;
  readonly announce: (topics: readonly string[]) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** For a time no tab had the connection. */
  readonly mayHaveMissed: boolean;
}

/** Connects until the signal. */
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
    // What happened while the page was hidden.
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
