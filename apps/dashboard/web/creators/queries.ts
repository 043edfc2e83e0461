import type {
  DashboardCreatorAnswer,
  DashboardCreatorsAnswer,
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalAnswer,
  TimelineEvent,
} from '../../src/creators/answers.js';
import type { ListedDeliveryAnswer } from '../../src/deliveries/answers.js';
import type { LeftOutAnswer } from '../../src/overview/answers.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Page } from '../components/paged-table.js';
import type { Filters } from './filters.js';

/** What the latest complete reading of the platform left out. */
export const leftOutQuery = (creator: string | undefined) =>
  serverQuery<LeftOutAnswer>('creators', '/api/left-out', { creator });

export const creatorsQuery = (filters: Filters, after: string | undefined) =>
  serverQuery<DashboardCreatorsAnswer>('creators', '/api/creators', { ...filters, after, limit: PAGE_SIZE });

const pathOf = (id: string): string => `/api/creators/${encodeURIComponent(id)}`;

export const creatorQuery = (id: string) => serverQuery<DashboardCreatorAnswer>('creators', pathOf(id));

/** One page of what has happened to a creator. */
const historyQuery =
  <Row>(part: string, limit?: string) =>
  (id: string, after: string | undefined) =>
    serverQuery<Page<Row>>('creators', `${pathOf(id)}/${part}`, { after, limit });

export const timelineQuery = historyQuery<TimelineEvent>('timeline', PAGE_SIZE);
export const intervalsQuery = historyQuery<ProtectionIntervalAnswer>('intervals');
export const scansQuery = historyQuery<DashboardScan>('scans', PAGE_SIZE);
export const deindexRequestsQuery = historyQuery<DashboardDeindexRequest>('deindex-requests', PAGE_SIZE);

export const deliveriesOfCreatorQuery = (creator: string, after: string | undefined) =>
  serverQuery<Page<ListedDeliveryAnswer>>('deliveries', '/api/deliveries', { creator, after, limit: PAGE_SIZE });

/** What has happened to a scan, case, deindex request or impersonation of the creator. */
export const recordQuery = (id: string, record: string, after: string | undefined) =>
  historyQuery<TimelineEvent>(`records/${encodeURIComponent(record)}`, PAGE_SIZE)(id, after);
