import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type {
  DashboardCreatorAnswer,
  DashboardCreatorsAnswer,
  DashboardDeindexRequest,
  DashboardScan,
  LeftOutAnswer,
  ProtectionIntervalAnswer,
  TimelineAnswer,
  TimelineEvent,
} from '../api/types.gen.js';

export interface CreatorFilters {
  readonly enrollment_status?: string | undefined;
  readonly protection_status?: string | undefined;
}

export interface HistoryRow {
  readonly id: string;
  readonly what: string;
  readonly details: string;
  readonly at: number;
  readonly actor?: string;
  readonly requestId?: string;
}

const PAGE_SIZE = '50';

/** What the latest complete reading of the platform left out. */
export const leftOutQuery = (creator: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'left out', creator],
    queryFn: ({ signal }) =>
      call<LeftOutAnswer>('/api/left-out', {
        query: { creator },
        signal,
      }),
  });

export const creatorsQuery = (filters: CreatorFilters, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', filters, after],
    queryFn: ({ signal }) =>
      call<DashboardCreatorsAnswer>('/api/creators', { query: { ...filters, after, limit: PAGE_SIZE }, signal }),
  });

const pathOf = (id: string): string => `/api/creators/${encodeURIComponent(id)}`;

export const creatorQuery = (id: string) =>
  queryOptions({
    queryKey: ['creators', 'one', id],
    queryFn: ({ signal }) => call<DashboardCreatorAnswer>(pathOf(id), { signal }),
  });

/** `creator.protectionPaused.v1` as `protection paused`. */
const eventName = (type: string): string =>
  (type.split('.')[1] ?? type).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const said = (text: string | null): string => (text === null ? '' : text.replaceAll('_', ' '));

const ROWS = {
  timeline: ({ id, type, at, actor, request_id }: TimelineEvent): HistoryRow => ({
    id,
    at,
    what: eventName(type),
    details: '',
    actor,
    requestId: request_id,
  }),
  intervals: ({ from, to, opened_event_id, closed_reason }: ProtectionIntervalAnswer): HistoryRow => ({
    id: opened_event_id,
    at: from,
    what: to === null ? 'active' : `until ${new Date(to).toISOString()}`,
    details: said(closed_reason),
  }),
  scans: ({ id, status, source, created_at, error_code }: DashboardScan): HistoryRow => ({
    id,
    at: created_at,
    what: status,
    details: [source, said(error_code)].filter(Boolean).join(', '),
  }),
  'deindex-requests': ({ id, status, case_id, created_at, error_code }: DashboardDeindexRequest): HistoryRow => ({
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

/** What has happened to a scan, case, deindex request or impersonation of the creator. */
export const recordQuery = (id: string, record: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'one', id, 'record', record, after],
    queryFn: async ({ signal }) => {
      const path = `${pathOf(id)}/records/${encodeURIComponent(record)}`;
      const page = await call<TimelineAnswer>(path, { query: { after }, signal });
      return { rows: page.data.map(ROWS.timeline), next: page.next_cursor };
    },
  });

export const historyQuery = (id: string, part: Part, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'one', id, part, after],
    queryFn: async ({ signal }) => {
      const query = part === 'intervals' ? {} : { after };
      const page = await call<{ readonly data: readonly never[]; readonly next_cursor?: string | null }>(
        `${pathOf(id)}/${part}`,
        {
          query,
          signal,
        },
      );
      return { rows: page.data.map((row) => ROWS[part](row)), next: page.next_cursor ?? null };
    },
  });
