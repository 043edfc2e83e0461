import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { Page } from '../api/types.js';

export interface Creator {
  readonly id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly enrollment_status: string;
  readonly protection_status: string;
  readonly eligible: boolean;
  readonly svc_user_id: string | null;
  readonly created_at: number;
}

export interface CreatorDetails extends Creator {
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly identity_sync_pending: boolean;
  readonly authorization: { readonly approved: boolean; readonly status?: string; readonly expires_at?: string | null };
  readonly entitlement_active: boolean;
  readonly cases: readonly { readonly status_code: string; readonly count: number }[];
  readonly has_more_cases: boolean;
}

export interface CreatorFilters {
  readonly enrollment_status?: string | undefined;
  readonly protection_status?: string | undefined;
}

export interface HistoryRow {
  readonly id: string;
  readonly what: string;
  readonly details: string;
  readonly at: number;
}

export interface LeftOutRecord {
  readonly kind: string;
  readonly creator_id: string | null;
  readonly id: string | null;
  readonly reason: string;
  readonly since: number;
  readonly remedy: string;
}

const PAGE_SIZE = '50';

/** What the latest complete reading of the platform left out. */
export const leftOutQuery = (creator: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'left out', creator],
    queryFn: ({ signal }) =>
      call<{ readonly data: readonly LeftOutRecord[]; readonly count: number }>('/api/left-out', {
        query: { creator },
        signal,
      }),
  });

export const creatorsQuery = (filters: CreatorFilters, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', filters, after],
    queryFn: ({ signal }) =>
      call<Page<Creator>>('/api/creators', { query: { ...filters, after, limit: PAGE_SIZE }, signal }),
  });

const pathOf = (id: string): string => `/api/creators/${encodeURIComponent(id)}`;

export const creatorQuery = (id: string) =>
  queryOptions({
    queryKey: ['creators', 'one', id],
    queryFn: ({ signal }) => call<CreatorDetails>(pathOf(id), { signal }),
  });

interface TimelineEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  readonly request_id: string;
}
interface Interval {
  readonly from: number;
  readonly to: number | null;
  readonly opened_event_id: string;
  readonly closed_reason: string | null;
}
interface Scan {
  readonly id: string;
  readonly status: string;
  readonly source: string;
  readonly created_at: number;
  readonly error_code: string | null;
}
interface DeindexRequest {
  readonly id: string;
  readonly case_id: string;
  readonly status: string;
  readonly created_at: number;
  readonly error_code: string | null;
}

/** `creator.protectionPaused.v1` as `protection paused`. */
const eventName = (type: string): string =>
  (type.split('.')[1] ?? type).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const said = (text: string | null): string => (text === null ? '' : text.replaceAll('_', ' '));

const ROWS = {
  timeline: ({ id, type, at, actor, request_id }: TimelineEvent): HistoryRow => ({
    id,
    at,
    what: eventName(type),
    details: `${actor}, request ${request_id}`,
  }),
  intervals: ({ from, to, opened_event_id, closed_reason }: Interval): HistoryRow => ({
    id: opened_event_id,
    at: from,
    what: to === null ? 'active' : `until ${new Date(to).toISOString()}`,
    details: said(closed_reason),
  }),
  scans: ({ id, status, source, created_at, error_code }: Scan): HistoryRow => ({
    id,
    at: created_at,
    what: status,
    details: [source, said(error_code)].filter(Boolean).join(', '),
  }),
  'deindex-requests': ({ id, status, case_id, created_at, error_code }: DeindexRequest): HistoryRow => ({
    id,
    at: created_at,
    what: status,
    details: [case_id, said(error_code)].filter(Boolean).join(', '),
  }),
} as const;

export type Part = keyof typeof ROWS;
export const PARTS: Readonly<Record<Part, string>> = {
  timeline: 'Timeline',
  intervals: 'Protection intervals',
  scans: 'Scans',
  'deindex-requests': 'Deindex requests',
};

export const partOf = (text: string | undefined): Part =>
  (Object.keys(PARTS) as Part[]).find((part) => part === text) ?? 'timeline';

export const historyQuery = (id: string, part: Part, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'one', id, part, after],
    queryFn: async ({ signal }) => {
      const query = part === 'intervals' ? {} : { after };
      const page = await call<Partial<Page<never>> & { readonly data: readonly never[] }>(`${pathOf(id)}/${part}`, {
        query,
        signal,
      });
      return { rows: page.data.map((row) => ROWS[part](row)), next: page.next_cursor ?? null };
    },
  });
