import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedEventAnswer } from '../../answers/events.js';
import type { EventType } from '../../answers/parts.js';
import { useSession } from '../api/session.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { choiceFilter, textFilter, timeFilter } from '../components/filters.js';
import { Cut, Download, Thing } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { eventsQuery } from './queries.js';

const route = getRouteApi('/events');

const COLUMNS = columnsOf<ListedEventAnswer>({
  Type: { width: 14, line: 1, show: (row) => <Thing id={row.id} name={row.type} /> },
  Creator: { width: 15, show: (row) => <Thing id={row.creator_id} name={row.creator_name} /> },
  Summary: (row) => <Cut>{row.summary ?? '–'}</Cut>,
  Time: { width: 8, line: 1, show: (row) => <DateTime at={row.created_at} /> },
});

const filtersFor = (types: readonly EventType[]) => ({
  type: choiceFilter('Type', types),
  creator: textFilter('Creator', { prefix: 'crt_' }),
  from: timeFilter('From'),
  to: timeFilter('To'),
});

export function EventsPage() {
  const { after, ...filters } = route.useSearch();
  const events = useQuery(eventsQuery({ ...filters, after }));
  return (
    <>
      <PageTitle name="Events" help="What GET /v1/events and your webhooks say, the newest first.">
        <Download path="/api/events/file" parameters={{ ...filters, format: 'csv' }}>
          Export as CSV
        </Download>
        <Download path="/api/events/file" parameters={{ ...filters, format: 'jsonl' }}>
          Export as JSON lines
        </Download>
      </PageTitle>
      <PagedTable
        query={events}
        label="Events"
        columns={COLUMNS}
        filters={filtersFor(useSession().event_types)}
        nothing="Events appear here as soon as something happens."
      />
    </>
  );
}
