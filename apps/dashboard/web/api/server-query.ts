import { QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Call, call } from './client.js';

/** Changes something on the server, and then reads again what the page shows. */
export function useChange<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => void client.invalidateQueries() });
}

/** An open page reads again this often, for changes that are not announced, such as the use of a key. */
const REFRESH_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // The connection watch asks again when the service is back: retries here would only hide the error for longer.
    queries: { networkMode: 'always', retry: false, refetchInterval: REFRESH_MS, staleTime: 1_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});

export const PAGE_SIZE = '50';

/**
 * Reads a path of the server, and reads it again when a live change names the topic. With other parameters, the answer to
 * the previous ones stays in sight until theirs is here.
 */
export const serverQuery = <Answer>(topic: string, path: string, query: Call['query'] = {}) =>
  queryOptions({
    queryKey: [topic, path, query],
    queryFn: ({ signal }) => call<Answer>(path, { query, signal }),
    placeholderData: (previous, before) => (before?.queryKey[1] === path ? previous : undefined),
  });
