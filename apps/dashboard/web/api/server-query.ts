import { queryOptions } from '@tanstack/react-query';
import { type Call, call } from './client.js';

/** Of a list that may be long. */
export const PAGE_SIZE = '50';

/** What the server answers at a path; asked for again when a live change names the topic. */
export const serverQuery = <Answer>(topic: string, path: string, query: Call['query'] = {}) =>
  queryOptions({
    queryKey: [topic, path, query],
    queryFn: ({ signal }) => call<Answer>(path, { query, signal }),
  });
