import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ListedEventAnswer } from '../../answers/events.js';
import { columnsOf, Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import {
  FilterChoice,
  FilterGrid,
  FilterText,
  FilterTime,
  filterOf,
  filtersIn,
  hasFilters,
} from '../components/filters.js';
import { LinkTo, Thing } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { EVENT_TYPES } from '../event-types.js';
import { type EventFilters, eventsQuery } from './queries.js';

export const eventsPage = createLazyRoute('/events')({ component: EventsPage });
const route = getRouteApi('/events');

const COLUMNS = columnsOf<ListedEventAnswer>({
  Type: {
    width: 14,
    line: 1,
    show: (row) => (
      <LinkTo to="/events/$id" params={{ id: row.id }}>
        {row.type}
      </LinkTo>
    ),
  },
  Creator: (row) => <Thing id={row.creator_id} name={row.creator_name} />,
  Time: { width: 8, line: 1, show: (row) => <DateTime at={row.created_at} /> },
});

function EventsPage() {
  const search = route.useSearch();
  const { after } = search;
  const filters = filtersIn(search);
  const navigate = route.useNavigate();
  const events = useQuery(eventsQuery(filters, after));
  const narrow = (changed: EventFilters) => void navigate({ search: changed });
  const of = filterOf(filters, narrow);
  return (
    <>
      <PageTitle name="Events" help="What GET /v1/events and your webhooks say, the newest first." />
      <FilterGrid filters={filters} onChange={narrow}>
        <FilterChoice label="Type" choices={EVENT_TYPES} {...of('type')} />
        <FilterText label="Creator" prefix="crt_" {...of('creator')} />
        <FilterTime label="From" {...of('from')} />
        <FilterTime label="To" {...of('to')} />
      </FilterGrid>
      <PagedTable
        query={events}
        label="Events"
        columns={COLUMNS}
        empty={
          hasFilters(filters) ? <Empty isFiltered /> : <Empty>Events appear here as soon as something happens.</Empty>
        }
        after={after}
      />
    </>
  );
}
