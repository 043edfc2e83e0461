import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable } from '../components/data-table.js';
import { Loaded } from '../components/loaded.js';
import { NextPage } from '../components/next-page.js';
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
      <Loaded query={events}>
        {({ data, next_cursor: next }) => (
          <>
            <DataTable label="Found" columns={TIMELINE_COLUMNS} rows={data} idOf={({ id }) => id} />
            <NextPage
              after={after}
              next={next}
              onGo={(cursor) =>
                void navigate({ search: (present) => ({ ...present, record_after: cursor }), resetScroll: false })
              }
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
