import { QueryClient } from '@tanstack/react-query';

/** How often an open page asks again for what it shows, where no change is announced: a key's use is none. */
const REFRESH_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // The connection watch asks again when the service is back: retries here would only hide the error for longer.
    queries: { networkMode: 'always', retry: false, refetchInterval: REFRESH_MS, staleTime: 1_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});
