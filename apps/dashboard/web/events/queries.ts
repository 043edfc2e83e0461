import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { DeliverySummary, Page } from '../api/types.js';

/** Each is in the address of the page. */
export const FILTERS = ['type', 'creator', 'from', 'to'] as const;
export type Filters = { readonly [Name in (typeof FILTERS)[number]]?: string | undefined };

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly creator_id: string;
  readonly created_at: number;
}

export interface EventPage extends Page<FeedEvent> {
  /** Where the search was cut. */
  readonly searched_until: number | null;
}

export interface EventDetails extends FeedEvent {
  readonly published_at: number;
  readonly bytes: string;
  readonly withheld: 'missing' | 'unreadable' | null;
  readonly cause: {
    readonly event_id: string;
    readonly type: string;
    readonly stream: string;
    readonly at: number;
    readonly actor: string;
    readonly request_id: string;
  } | null;
  readonly deliveries: readonly DeliverySummary[];
}

const PAGE_SIZE = '50';

export const eventsQuery = (filters: Filters, after: string | undefined) =>
  queryOptions({
    queryKey: ['events', filters, after],
    queryFn: ({ signal }) => call<EventPage>('/api/events', { query: { ...filters, after, limit: PAGE_SIZE }, signal }),
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => call<EventDetails>(`/api/events/${encodeURIComponent(id)}`, { signal }),
  });
