import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RowData } from '@tanstack/react-table';
import type {
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalAnswer,
  TimelineEvent,
} from '../../answers/creators.js';
import { type Columns, columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { words } from '../components/formats.js';
import { Actor, Id, isOfKey } from '../components/id.js';
import { IntervalEnd } from '../components/interval-end.js';
import { Panel } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { deliveryColumns } from '../deliveries/delivery-columns.js';
import { deliveriesOfCreatorQuery, historyQuery } from './queries.js';

/** The history of one scan, case, deindex request or impersonation. Search results link here. */
export function RecordPanel({ creator, record }: { readonly creator: string; readonly record: string }) {
  const { record_after: after } = route.useSearch();
  const events = useQuery(historyQuery<TimelineEvent>(creator, `records/${encodeURIComponent(record)}`, after));
  return (
    <Panel title={record}>
      <PagedTable query={events} label="Found" columns={TIMELINE_COLUMNS} parameter="record_after" />
    </Panel>
  );
}

function OwnId({ value }: { readonly value: string }) {
  return <Id value={value} creator={route.useParams().id} />;
}

const INTERVAL_COLUMNS = columnsOf<ProtectionIntervalAnswer>({
  Begins: { wraps: true, show: (row) => <IntervalEnd event={row.opened_by} /> },
  Ends: { wraps: true, show: (row) => <IntervalEnd event={row.closed_by} /> },
});

const SCAN_COLUMNS = columnsOf<DashboardScan>({
  Time: { line: 1, show: (row) => <DateTime at={row.created_at} /> },
  Status: (row) => words(row.status),
  Source: (row) => row.source,
  Finished: (row) => <DateTime at={row.finished_at} />,
  Error: (row) => words(row.error_code),
  Id: (row) => <OwnId value={row.id} />,
});

const DEINDEX_REQUEST_COLUMNS = columnsOf<DashboardDeindexRequest>({
  Time: (row) => <DateTime at={row.created_at} />,
  Status: (row) => words(row.status),
  Case: (row) => <OwnId value={row.case_id} />,
  Changed: (row) => <DateTime at={row.updated_at} />,
  Error: (row) => words(row.error_code),
  Id: (row) => <OwnId value={row.id} />,
});

const DELIVERY_COLUMNS = deliveryColumns('Event', 'Endpoint', 'Status', 'Attempts', 'Answer', 'Time');

/** `creator.protectionPaused.v1` as `Protection paused`. */
const eventName = (type: string): string =>
  words((type.split('.')[1] ?? type).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

export const TIMELINE_COLUMNS = columnsOf<TimelineEvent>({
  Time: (row) => <DateTime at={row.at} />,
  What: (row) => eventName(row.type),
  'Caused by': (row) => <Actor value={row.actor} name={row.actor_name} />,
  'Request or run': (row) => <Id value={row.request_id} isRequest={isOfKey(row.actor)} />,
  Id: (row) => <Id value={row.id} />,
});

const route = getRouteApi('/creators/$id');

interface PartProps {
  readonly creator: string;
  readonly after: string | undefined;
}

const partOf = <Row extends RowData>(name: string, part: string, columns: Columns<Row>, query = historyQuery<Row>) => ({
  name,
  Table: ({ creator, after }: PartProps) => (
    <PagedTable query={useQuery(query(creator, part, after))} label={name} columns={columns} />
  ),
});

const PARTS = {
  timeline: partOf('Timeline', 'timeline', TIMELINE_COLUMNS),
  intervals: partOf('Protection intervals', 'intervals', INTERVAL_COLUMNS),
  scans: partOf('Scans', 'scans', SCAN_COLUMNS),
  'deindex-requests': partOf('Deindex requests', 'deindex-requests', DEINDEX_REQUEST_COLUMNS),
  deliveries: partOf('Deliveries', 'deliveries', DELIVERY_COLUMNS, deliveriesOfCreatorQuery),
};

const isPart = (text: string): text is keyof typeof PARTS => Object.hasOwn(PARTS, text);

export function History({ creator }: { readonly creator: string }) {
  const { part: asked = '', after } = route.useSearch();
  const navigate = route.useNavigate();
  const part = isPart(asked) ? asked : 'timeline';
  const { Table } = PARTS[part];
  return (
    <Panel title="What has happened">
      <Tabs
        value={part}
        onChange={(value) => void navigate({ search: { part: value ?? undefined }, resetScroll: false })}
      >
        <Tabs.List>
          {Object.entries(PARTS).map(([value, { name }]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} pt="md">
          <Table creator={creator} after={after} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
