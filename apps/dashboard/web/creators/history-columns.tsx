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

const interval = columnsOf<ProtectionIntervalAnswer>();
export const intervalColumns = (creator: string) => [
  interval.display({
    id: 'Begins',
    header: 'Begins',
    cell: ({ row }) => <IntervalEnd creator={creator} event={row.original.opened_by} />,
  }),
  interval.display({
    id: 'Ends',
    header: 'Ends',
    cell: ({ row }) => <IntervalEnd creator={creator} event={row.original.closed_by} />,
  }),
];

const scan = columnsOf<DashboardScan>();
export const scanColumns = (creator: string) => [
  scan.display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
  scan.display({ id: 'Status', header: 'Status', cell: ({ row }) => said(row.original.status) }),
  scan.display({ id: 'Source', header: 'Source', cell: ({ row }) => row.original.source }),
  scan.display({ id: 'Finished', header: 'Finished', cell: ({ row }) => <DateTime at={row.original.finished_at} /> }),
  scan.display({ id: 'Error', header: 'Error', cell: ({ row }) => said(row.original.error_code) }),
  scan.display({ id: 'Id', header: 'Id', cell: ({ row }) => <Id value={row.original.id} creator={creator} /> }),
];

const request = columnsOf<DashboardDeindexRequest>();
export const deindexRequestColumns = (creator: string) => [
  request.display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
  request.display({ id: 'Status', header: 'Status', cell: ({ row }) => said(row.original.status) }),
  request.display({
    id: 'Case',
    header: 'Case',
    cell: ({ row }) => <Id value={row.original.case_id} creator={creator} />,
  }),
  request.display({ id: 'Changed', header: 'Changed', cell: ({ row }) => <DateTime at={row.original.updated_at} /> }),
  request.display({ id: 'Error', header: 'Error', cell: ({ row }) => said(row.original.error_code) }),
  request.display({ id: 'Id', header: 'Id', cell: ({ row }) => <Id value={row.original.id} creator={creator} /> }),
];

const delivery = columnsOf<ListedDeliveryAnswer>();
export const DELIVERY_COLUMNS = [
  delivery.display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
  delivery.display({ id: 'Type', header: 'Type', cell: ({ row }) => row.original.event_type }),
  delivery.display({ id: 'Event', header: 'Event', cell: ({ row }) => <Id value={row.original.event_id} /> }),
  delivery.display({ id: 'Endpoint', header: 'Endpoint', cell: ({ row }) => <Id value={row.original.endpoint_id} /> }),
  delivery.display({ id: 'Status', header: 'Status', cell: ({ row }) => row.original.status }),
  delivery.display({ id: 'Id', header: 'Id', cell: ({ row }) => <Id value={row.original.id} /> }),
];
