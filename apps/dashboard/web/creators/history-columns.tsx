import type {
  DashboardDeindexRequest,
  DashboardScan,
  ListedDeliveryAnswer,
  ProtectionIntervalAnswer,
} from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { IntervalEnd } from '../components/interval-end.js';

const said = (text: string | null): string => (text === null ? '–' : text.replaceAll('_', ' '));

export const intervalColumns = (creator: string) =>
  columnsOf<ProtectionIntervalAnswer>({
    Begins: (row) => <IntervalEnd creator={creator} event={row.opened_by} />,
    Ends: (row) => <IntervalEnd creator={creator} event={row.closed_by} />,
  });

export const scanColumns = (creator: string) =>
  columnsOf<DashboardScan>({
    Time: (row) => <DateTime at={row.created_at} />,
    Status: (row) => said(row.status),
    Source: (row) => row.source,
    Finished: (row) => <DateTime at={row.finished_at} />,
    Error: (row) => said(row.error_code),
    Id: (row) => <Id value={row.id} creator={creator} />,
  });

export const deindexRequestColumns = (creator: string) =>
  columnsOf<DashboardDeindexRequest>({
    Time: (row) => <DateTime at={row.created_at} />,
    Status: (row) => said(row.status),
    Case: (row) => <Id value={row.case_id} creator={creator} />,
    Changed: (row) => <DateTime at={row.updated_at} />,
    Error: (row) => said(row.error_code),
    Id: (row) => <Id value={row.id} creator={creator} />,
  });

export const DELIVERY_COLUMNS = columnsOf<ListedDeliveryAnswer>({
  Time: (row) => <DateTime at={row.created_at} />,
  Type: (row) => row.event_type,
  Event: (row) => <Id value={row.event_id} />,
  Endpoint: (row) => <Id value={row.endpoint_id} />,
  Status: (row) => row.status,
  Id: (row) => <Id value={row.id} />,
});
