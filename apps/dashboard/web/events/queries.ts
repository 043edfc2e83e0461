import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { EventAnswer, EventsAnswer } from '../api/types.gen.js';
import type { Filters } from './filters.js';

const PAGE_SIZE = '50';

export const eventsQuery = (filters: Filters, after: string | undefined) =>
  queryOptions({
    queryKey: ['events', filters, after],
    queryFn: ({ signal }) =>
      call<EventsAnswer>('/api/events', { query: { ...filters, after, limit: PAGE_SIZE }, signal }),
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => call<EventAnswer>(`/api/events/${encodeURIComponent(id)}`, { signal }),
  });
