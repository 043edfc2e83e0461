import { Tabs } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RowData } from '@tanstack/react-table';
import { useMemo } from 'react';
import { type Columns, DataTable } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { Loaded } from '../components/loaded.js';
import { NextPage } from '../components/next-page.js';
import { Panel } from '../components/panel.js';
import { DELIVERY_COLUMNS, deindexRequestColumns, intervalColumns, scanColumns } from './history-columns.js';
import {
  deindexRequestsQuery,
  deliveriesOfCreatorQuery,
  type HistoryPage,
  intervalsQuery,
  PARTS,
  type Part,
  partOf,
  scansQuery,
  timelineQuery,
} from './queries.js';
import { TIMELINE_COLUMNS } from './timeline-columns.js';

const route = getRouteApi('/creators/$id');

interface PartProps {
  readonly creator: string;
  readonly after: string | undefined;
}

const TABLES: Readonly<Record<Part, (props: PartProps) => React.ReactNode>> = {
  timeline: Timeline,
  intervals: Intervals,
  scans: Scans,
  'deindex-requests': DeindexRequests,
  deliveries: Deliveries,
};

export function History({ creator }: { readonly creator: string }) {
  const { part: asked, after } = route.useSearch();
  const navigate = route.useNavigate();
  const part = partOf(asked);
  const Table = TABLES[part];
  return (
    <Panel title="What has happened">
      <Tabs
        value={part}
        onChange={(value) => void navigate({ search: { part: value ?? undefined }, resetScroll: false })}
      >
        <Tabs.List>
          {Object.entries(PARTS).map(([value, name]) => (
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

function Timeline({ creator, after }: PartProps) {
  const page = useQuery(timelineQuery(creator, after));
  return <PartTable part="timeline" page={page} columns={TIMELINE_COLUMNS} idOf={({ id }) => id} />;
}

function Intervals({ creator, after }: PartProps) {
  const page = useQuery(intervalsQuery(creator, after));
  const columns = useMemo(() => intervalColumns(creator), [creator]);
  return <PartTable part="intervals" page={page} columns={columns} idOf={({ opened_by: by }) => by.event_id} />;
}

function Scans({ creator, after }: PartProps) {
  const page = useQuery(scansQuery(creator, after));
  const columns = useMemo(() => scanColumns(creator), [creator]);
  return <PartTable part="scans" page={page} columns={columns} idOf={({ id }) => id} />;
}

function DeindexRequests({ creator, after }: PartProps) {
  const page = useQuery(deindexRequestsQuery(creator, after));
  const columns = useMemo(() => deindexRequestColumns(creator), [creator]);
  return <PartTable part="deindex-requests" page={page} columns={columns} idOf={({ id }) => id} />;
}

function Deliveries({ creator, after }: PartProps) {
  const page = useQuery(deliveriesOfCreatorQuery(creator, after));
  return <PartTable part="deliveries" page={page} columns={DELIVERY_COLUMNS} idOf={({ id }) => id} />;
}

interface PartTableProps<Row extends RowData> {
  readonly part: Part;
  readonly page: UseQueryResult<HistoryPage<Row>>;
  readonly columns: Columns<Row>;
  readonly idOf: (row: Row) => string;
}

function PartTable<Row extends RowData>({ part, page, columns, idOf }: PartTableProps<Row>) {
  const { after } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Loaded query={page}>
      {({ data, next_cursor: next = null }) => (
        <>
          {data.length === 0 ? <Empty /> : <DataTable label={PARTS[part]} columns={columns} rows={data} idOf={idOf} />}
          <NextPage
            after={after}
            next={next}
            onGo={(cursor) => void navigate({ search: { part, after: cursor }, resetScroll: false })}
          />
        </>
      )}
    </Loaded>
  );
}
