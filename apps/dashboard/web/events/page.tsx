import { Button, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ListedEventAnswer } from '../api/types.gen.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { EVENT_TYPES } from '../components/event-types.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterText } from '../components/filter-text.js';
import { FilterTime } from '../components/filter-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { NextPage } from '../components/next-page.js';
import { PageTitle } from '../components/page-title.js';
import { eventsQuery, type Filters } from './queries.js';

export const eventsPage = createLazyRoute('/events')({ component: EventsPage });
const route = getRouteApi('/events');

const TYPES = EVENT_TYPES.map((type) => ({ value: type, label: type }));

const { display } = columnsOf<ListedEventAnswer>();
const COLUMNS = [
  display({
    id: 'Event',
    header: 'Event',
    cell: ({ row: { original } }) => (
      <Id value={original.id}>
        <LinkTo to="/events/$id" params={{ id: original.id }} size="sm">
          {original.id}
        </LinkTo>
      </Id>
    ),
  }),
  display({ id: 'Type', header: 'Type', cell: ({ row }) => row.original.type }),
  display({
    id: 'Creator',
    header: 'Creator',
    cell: ({ row: { original } }) => (
      <Id value={original.creator_id}>
        <LinkTo to="/creators/$id" params={{ id: original.creator_id }} size="sm">
          {original.creator_id}
        </LinkTo>
      </Id>
    ),
  }),
  display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
];

function EventsPage() {
  const { after, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const events = useQuery(eventsQuery(filters, after));
  const hasFilters = Object.values(filters).some((value) => value !== undefined);
  const of = (name: keyof Filters) => ({
    value: filters[name],
    onChange: (value?: string) => void navigate({ search: { ...filters, [name]: value } }),
  });
  const clear = (
    <Button variant="default" onClick={() => void navigate({ search: {} })} style={{ alignSelf: 'end' }}>
      Clear filters
    </Button>
  );
  return (
    <>
      <PageTitle name="Events" help="What GET /v1/events and your webhooks say, the newest first." />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" mb="md" role="search" aria-label="Filters">
        <FilterChoice label="Type" choices={TYPES} {...of('type')} />
        <FilterText label="Creator" placeholder="crt_…" {...of('creator')} />
        <FilterTime label="From" {...of('from')} />
        <FilterTime label="To" {...of('to')} />
        {hasFilters && clear}
      </SimpleGrid>
      <Loaded query={events}>
        {({ data, next_cursor: next, searched_until: until }) => (
          <>
            {data.length === 0 && !hasFilters && <Empty>Events appear here as soon as something happens.</Empty>}
            {data.length === 0 && hasFilters && <Empty isFiltered />}
            {data.length > 0 && <DataTable label="Events" columns={COLUMNS} rows={data} idOf={({ id }) => id} />}
            {until !== null && (
              <Text size="sm" component="div">
                With these filters, only events since this time were searched; the next page goes on:
                <DateTime at={until} />
              </Text>
            )}
            <NextPage
              after={after}
              next={next}
              onGo={(cursor) => void navigate({ search: { ...filters, after: cursor } })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
