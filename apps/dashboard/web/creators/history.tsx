import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RowData } from '@tanstack/react-table';
import type { serverQuery } from '../api/server-query.js';
import type { Columns } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { type Page, PagedTable } from '../components/paged-table.js';
import { Panel } from '../components/panel.js';
import { DEINDEX_REQUEST_COLUMNS, DELIVERY_COLUMNS, INTERVAL_COLUMNS, SCAN_COLUMNS } from './history-columns.js';
import {
  deindexRequestsQuery,
  deliveriesOfCreatorQuery,
  intervalsQuery,
  scansQuery,
  timelineQuery,
} from './queries.js';
import { TIMELINE_COLUMNS } from './timeline-columns.js';

const route = getRouteApi('/creators/$id');

interface PartProps {
  readonly creator: string;
  readonly after: string | undefined;
  readonly onGo: (after: string | undefined) => void;
}

/** A tab with its table. */
const partOf = <Row extends RowData>(
  name: string,
  query: (creator: string, after: string | undefined) => ReturnType<typeof serverQuery<Page<Row>>>,
  columns: Columns<Row>,
  idOf: (row: Row) => string,
) => ({
  name,
  Table: ({ creator, after, onGo }: PartProps) => (
    <PagedTable
      query={useQuery(query(creator, after))}
      label={name}
      columns={columns}
      idOf={idOf}
      empty={<Empty />}
      after={after}
      onGo={onGo}
    />
  ),
});

const idOf = ({ id }: { readonly id: string }): string => id;

/** By their names in the address. */
const PARTS = {
  timeline: partOf('Timeline', timelineQuery, TIMELINE_COLUMNS, idOf),
  intervals: partOf('Protection intervals', intervalsQuery, INTERVAL_COLUMNS, ({ opened_by: by }) => by.event_id),
  scans: partOf('Scans', scansQuery, SCAN_COLUMNS, idOf),
  'deindex-requests': partOf('Deindex requests', deindexRequestsQuery, DEINDEX_REQUEST_COLUMNS, idOf),
  deliveries: partOf('Deliveries', deliveriesOfCreatorQuery, DELIVERY_COLUMNS, idOf),
};

const isPart = (text: string): text is keyof typeof PARTS => Object.hasOwn(PARTS, text);

export function History({ creator }: { readonly creator: string }) {
  const { part: asked = '', after } = route.useSearch();
  const navigate = route.useNavigate();
  const part = isPart(asked) ? asked : 'timeline';
  const { Table } = PARTS[part];
  const show = (search: { readonly part: string | undefined; readonly after?: string | undefined }) =>
    void navigate({ search, resetScroll: false });
  return (
    <Panel title="What has happened">
      <Tabs value={part} onChange={(value) => show({ part: value ?? undefined })}>
        <Tabs.List>
          {Object.entries(PARTS).map(([value, { name }]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} pt="md">
          <Table creator={creator} after={after} onGo={(cursor) => show({ part, after: cursor })} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
