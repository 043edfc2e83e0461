import { getRouteApi } from '@tanstack/react-router';
import type {
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalAnswer,
  ProtectionSwitch,
} from '../../src/creators/answers.js';
import type { ListedDeliveryAnswer } from '../../src/deliveries/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { IntervalEnd } from '../components/interval-end.js';

const route = getRouteApi('/creators/$id');

/** The id of what belongs to the creator of the page. */
function OwnId({ value }: { readonly value: string }) {
  return <Id value={value} creator={route.useParams().id} />;
}

function End({ event }: { readonly event: ProtectionSwitch | null }) {
  return <IntervalEnd creator={route.useParams().id} event={event} />;
}

const said = (text: string | null): string => (text === null ? '–' : text.replaceAll('_', ' '));

export const INTERVAL_COLUMNS = columnsOf<ProtectionIntervalAnswer>({
  Begins: (row) => <End event={row.opened_by} />,
  Ends: (row) => <End event={row.closed_by} />,
});

export const SCAN_COLUMNS = columnsOf<DashboardScan>({
  Time: (row) => <DateTime at={row.created_at} />,
  Status: (row) => said(row.status),
  Source: (row) => row.source,
  Finished: (row) => <DateTime at={row.finished_at} />,
  Error: (row) => said(row.error_code),
  Id: (row) => <OwnId value={row.id} />,
});

export const DEINDEX_REQUEST_COLUMNS = columnsOf<DashboardDeindexRequest>({
  Time: (row) => <DateTime at={row.created_at} />,
  Status: (row) => said(row.status),
  Case: (row) => <OwnId value={row.case_id} />,
  Changed: (row) => <DateTime at={row.updated_at} />,
  Error: (row) => said(row.error_code),
  Id: (row) => <OwnId value={row.id} />,
});

export const DELIVERY_COLUMNS = columnsOf<ListedDeliveryAnswer>({
  Time: (row) => <DateTime at={row.created_at} />,
  Type: (row) => row.event_type,
  Event: (row) => <Id value={row.event_id} />,
  Endpoint: (row) => <Id value={row.endpoint_id} />,
  Status: (row) => row.status,
  Id: (row) => <Id value={row.id} />,
});
