import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ListedEventAnswer } from '../../src/events/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { EVENT_TYPES } from '../components/event-types.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterGrid, filterOf, hasFilters } from '../components/filter-grid.js';
import { FilterText } from '../components/filter-text.js';
import { FilterTime } from '../components/filter-time.js';
import { Id } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { type Filters, filtersOf } from './filters.js';
import { eventsQuery } from './queries.js';

export const eventsPage = createLazyRoute('/events')({ component: EventsPage });
const route = getRouteApi('/events');

const COLUMNS = columnsOf<ListedEventAnswer>({
  Event: (row) => <Id value={row.id} />,
  Type: (row) => row.type,
  Creator: (row) => <Id value={row.creator_id} />,
  Time: (row) => <DateTime at={row.created_at} />,
});

function EventsPage() {
  const search = route.useSearch();
  const { after } = search;
  const filters = filtersOf(search);
  const navigate = route.useNavigate();
  const events = useQuery(eventsQuery(filters, after));
  const narrow = (changed: Filters) => void navigate({ search: changed });
  const of = filterOf(filters, narrow);
  return (
    <>
      <PageTitle name="Events" help="What GET /v1/events and your webhooks say, the newest first." />
      <FilterGrid filters={filters} onChange={narrow}>
        <FilterChoice label="Type" choices={EVENT_TYPES} {...of('type')} />
        <FilterText label="Creator" placeholder="crt_…" {...of('creator')} />
        <FilterTime label="From" {...of('from')} />
        <FilterTime label="To" {...of('to')} />
      </FilterGrid>
      <PagedTable
        query={events}
        label="Events"
        columns={COLUMNS}
        idOf={({ id }) => id}
        empty={
          hasFilters(filters) ? <Empty isFiltered /> : <Empty>Events appear here as soon as something happens.</Empty>
        }
        after={after}
        onGo={(cursor) => void navigate({ search: { ...filters, after: cursor } })}
      />
    </>
  );
}
