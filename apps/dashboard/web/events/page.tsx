import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedEventAnswer } from '../../answers/events.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { choiceFilter, textFilter, timeFilter } from '../components/filters.js';
import { LinkTo, Thing } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { EVENT_TYPES } from '../event-types.js';
import { eventsQuery } from './queries.js';

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

const FILTERS = {
  type: choiceFilter('Type', EVENT_TYPES),
  creator: textFilter('Creator', { prefix: 'crt_' }),
  from: timeFilter('From'),
  to: timeFilter('To'),
};

export function EventsPage() {
  const events = useQuery(eventsQuery(route.useSearch()));
  return (
    <>
      <PageTitle name="Events" help="What GET /v1/events and your webhooks say, the newest first." />
      <PagedTable
        query={events}
        label="Events"
        columns={COLUMNS}
        filters={FILTERS}
        nothing="Events appear here as soon as something happens."
      />
    </>
  );
}
