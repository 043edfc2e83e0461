import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, isReachable } from './client.js';
import { useSignal } from './signal.js';

const PROBE_EVERY_MS = 2_000;

const probe = async (client: QueryClient): Promise<void> => {
  // Any answer of the service will do, also that the session has ended.
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
