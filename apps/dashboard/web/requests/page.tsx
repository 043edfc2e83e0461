import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Empty } from '../components/empty.js';
import { hasFilters } from '../components/filter-grid.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { Panel } from '../components/panel.js';
import { CallsPanel } from './calls-panel.js';
import { FilterBar } from './filter-bar.js';
import { filtersOf } from './filters.js';
import { GroupsPanel } from './groups-panel.js';
import { requestsQuery } from './queries.js';
import { REQUEST_COLUMNS } from './request-columns.js';

export const requestsPage = createLazyRoute('/requests')({ component: RequestsPage });
const route = getRouteApi('/requests');

const HELP =
  'Calls with a valid key are counted. Of those that were refused or failed, the latest 1,000 are kept, without anything that they said. A request appears about a second after its answer; a service that is killed loses its last second. Requests with an unknown key belong to nobody, and are not here.';

function RequestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const by = search.by === 'minute' ? 'minute' : 'hour';
  const filters = filtersOf(search);
  const query = requestsQuery({ ...filters, after: search.after });
  const requests = useQuery(query);
  /** They are of all requests, so that those of the filters before are the same. */
  const { groups = [] } = useQuery({ ...query, placeholderData: keepPreviousData }).data ?? {};
  /** The list is far down: it stays in sight. */
  const show = (shown: typeof search) => void navigate({ search: shown, resetScroll: false });
  return (
    <>
      <PageTitle name="Requests" help={HELP} />
      <Stack>
        <CallsPanel
          by={by}
          keyId={search.key}
          onChange={(step) => show({ ...search, by: step === 'hour' ? undefined : step })}
        />
        <GroupsPanel groups={groups} />
        <Panel title="Refused or failed">
          <FilterBar filters={filters} groups={groups} onChange={(changed) => show({ ...changed, by: search.by })} />
          <PagedTable
            query={requests}
            label="Requests"
            columns={REQUEST_COLUMNS}
            idOf={({ request_id: id }) => id}
            empty={<NoRequests isFiltered={hasFilters(filters)} />}
            after={search.after}
            onGo={(after) => show({ ...filters, by: search.by, after })}
          />
        </Panel>
        <OperatorsLine words="keys refused" ofAgency />
      </Stack>
    </>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <Empty>No request was refused.</Empty>;
  return (
    <Empty isFiltered>Only requests that were refused or failed are kept: one that succeeded is not among them.</Empty>
  );
}
