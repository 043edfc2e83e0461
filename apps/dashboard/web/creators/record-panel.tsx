import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PagedTable } from '../components/paged-table.js';
import { Panel } from '../components/panel.js';
import { recordQuery } from './queries.js';
import { TIMELINE_COLUMNS } from './timeline-columns.js';

const route = getRouteApi('/creators/$id');

/** What has happened to a scan, case, deindex request or impersonation of the creator, to which the search leads. */
export function RecordPanel({ creator, record }: { readonly creator: string; readonly record: string }) {
  const { record_after: after } = route.useSearch();
  const navigate = route.useNavigate();
  const events = useQuery(recordQuery(creator, record, after));
  return (
    <Panel title={record}>
      <PagedTable
        query={events}
        label="Found"
        columns={TIMELINE_COLUMNS}
        idOf={({ id }) => id}
        after={after}
        onGo={(cursor) =>
          void navigate({ search: (present) => ({ ...present, record_after: cursor }), resetScroll: false })
        }
      />
    </Panel>
  );
}
