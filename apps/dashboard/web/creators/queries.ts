import type {
  CreatorsAnswer,
  DashboardCase,
  DashboardCreatorAnswer,
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalAnswer,
  TimelineEvent,
} from '../../answers/creators.js';
import type { ListedDeliveryAnswer } from '../../answers/deliveries.js';
import type { LeftOutAnswer } from '../../answers/overview.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from '../components/filters.js';
import type { Page } from '../components/paged-table.js';

export const leftOutQuery = (creator: string | undefined) =>
  serverQuery<LeftOutAnswer>('creators', '/api/left-out', { creator });

export const creatorsQuery = (search: Filters<'text' | 'enrollment_status' | 'protection_status' | 'after'>) =>
  serverQuery<CreatorsAnswer>('creators', '/api/creators', { ...search, limit: PAGE_SIZE });

const pathOf = (id: string): string => `/api/creators/${encodeURIComponent(id)}`;

export const creatorQuery = (id: string) => serverQuery<DashboardCreatorAnswer>('creators', pathOf(id));

const historyQuery =
  <Row>(part: string, limit?: string) =>
  (id: string, after: string | undefined) =>
    serverQuery<Page<Row>>('creators', `${pathOf(id)}/${part}`, { after, limit });

export const casesQuery = (id: string, search: Filters<'status' | 'source' | 'site' | 'after'>) =>
  serverQuery<Page<DashboardCase>>('creators', `${pathOf(id)}/cases`, { ...search, limit: PAGE_SIZE });

export const timelineQuery = historyQuery<TimelineEvent>('timeline', PAGE_SIZE);
export const intervalsQuery = historyQuery<ProtectionIntervalAnswer>('intervals');
export const scansQuery = historyQuery<DashboardScan>('scans', PAGE_SIZE);
export const deindexRequestsQuery = historyQuery<DashboardDeindexRequest>('deindex-requests', PAGE_SIZE);

export const deliveriesOfCreatorQuery = (creator: string, after: string | undefined) =>
  serverQuery<Page<ListedDeliveryAnswer>>('deliveries', '/api/deliveries', { creator, after, limit: PAGE_SIZE });

export const recordQuery = (id: string, record: string, after: string | undefined) =>
  historyQuery<TimelineEvent>(`records/${encodeURIComponent(record)}`, PAGE_SIZE)(id, after);
