import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type {
  DashboardCreatorAnswer,
  DashboardCreatorsAnswer,
  DashboardDeindexRequest,
  DashboardScan,
  LeftOutAnswer,
  ListedDeliveryAnswer,
  ProtectionIntervalAnswer,
  TimelineAnswer,
  TimelineEvent,
} from '../api/types.gen.js';
import type { Filters } from './filters.js';

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

export const creatorsQuery = (filters: Filters, after: string | undefined) =>
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

export const PARTS = {
  timeline: 'Timeline',
  intervals: 'Protection intervals',
  scans: 'Scans',
  'deindex-requests': 'Deindex requests',
  deliveries: 'Deliveries',
} as const;
export type Part = keyof typeof PARTS;

export const partOf = (text: string | undefined): Part =>
  (Object.keys(PARTS) as Part[]).find((part) => part === text) ?? 'timeline';

/** Intervals are on one page. */
export interface HistoryPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
}

/** One page of what has happened to a creator. */
const historyQuery =
  <Row>(part: Part, pageSize?: string) =>
  (id: string, after: string | undefined) =>
    queryOptions({
      queryKey: ['creators', 'one', id, part, after],
      queryFn: ({ signal }) =>
        call<HistoryPage<Row>>(`${pathOf(id)}/${part}`, { query: { after, limit: pageSize }, signal }),
    });

export const timelineQuery = historyQuery<TimelineEvent>('timeline', PAGE_SIZE);
export const intervalsQuery = historyQuery<ProtectionIntervalAnswer>('intervals');
export const scansQuery = historyQuery<DashboardScan>('scans', PAGE_SIZE);
export const deindexRequestsQuery = historyQuery<DashboardDeindexRequest>('deindex-requests', PAGE_SIZE);

export const deliveriesOfCreatorQuery = (id: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['deliveries', 'of creator', id, after],
    queryFn: ({ signal }) =>
      call<HistoryPage<ListedDeliveryAnswer>>('/api/deliveries', {
        query: { creator: id, after, limit: PAGE_SIZE },
        signal,
      }),
  });

/** What has happened to a scan, case, deindex request or impersonation of the creator. */
export const recordQuery = (id: string, record: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['creators', 'one', id, 'record', record, after],
    queryFn: ({ signal }) =>
      call<TimelineAnswer>(`${pathOf(id)}/records/${encodeURIComponent(record)}`, {
        query: { after, limit: PAGE_SIZE },
        signal,
      }),
  });
