import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RefusedGroupAnswer, RefusedRequestAnswer, RequestsAnswer } from '../../answers/requests.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import { columnsOf, DataTable, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { choiceFilter, type Filters, textFilter } from '../components/filters.js';
import { number } from '../components/formats.js';
import { Cut, Id, LinkTo, Thing } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle, Panel } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { CallsPanel } from './calls-panel.js';

const requestsQuery = (search: Filters<'code' | 'route' | 'key' | 'after'>) =>
  serverQuery<RequestsAnswer>('requests', '/api/requests', { ...search, limit: PAGE_SIZE });

const COLUMNS = columnsOf<RefusedGroupAnswer>({
  Code: {
    width: 12,
    line: 1,
    show: ({ code, route: ofRoute }) => (
      <LinkTo to="/requests" search={{ route: ofRoute, ...(code !== null && { code }) }} resetScroll={false}>
        {code ?? 'none'}
      </LinkTo>
    ),
  },
  Route: { width: 18, show: (row) => <Cut>{row.route}</Cut> },
  Requests: figure((row) => number(row.count), 6),
  Latest: { width: 7, line: 3, show: (row) => <DateTime at={row.last_at} /> },
  'What to do': { line: 3, show: (row) => <span data-tip={row.remedy}>{row.remedy}</span> },
});

const sorted = (values: readonly string[]) => [...new Set(values)].sort();

const filtersFor = (groups: readonly RefusedGroupAnswer[]) => ({
  code: choiceFilter('Code', sorted(groups.flatMap(({ code }) => code ?? []))),
  route: choiceFilter('Route', sorted(groups.map(({ route: ofGroup }) => ofGroup))),
  key: textFilter('Key', { prefix: 'key_' }),
});

export const REQUEST_COLUMNS = columnsOf<RefusedRequestAnswer>({
  Request: { width: 9, line: 1, show: (row) => <Id value={row.request_id} isRequest /> },
  Route: (row) => <Cut>{row.route}</Cut>,
  Key: { width: 9, line: 3, show: (row) => <Thing id={row.key_id} name={row.key_name} /> },
  Status: { width: 5, line: 3, show: (row) => row.status },
  Code: { width: 10, show: (row) => row.code ?? '–' },
  Rules: ({ problems }) => {
    const rules = problems.map(({ field, rule }) => `${field} ${rule}`).join('; ');
    return <span data-tip={rules}>{rules}</span>;
  },
  Time: { width: 7, line: 1, show: (row) => <DateTime at={row.at} /> },
});

const route = getRouteApi('/requests');

const HELP =
  'Calls with a valid key are counted. Of those that were refused or failed, the latest 1,000 are kept, without anything that they said. A request appears about a second after its answer; a service that is killed loses its last second. Requests with an unknown key belong to nobody, and are not here.';

export function RequestsPage() {
  const { by, agency, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const query = requestsQuery(search);
  const requests = useQuery(query);
  /** The groups do not depend on the filters, so those of the previous filters are the same. */
  const { groups = [] } = useQuery({ ...query, placeholderData: keepPreviousData }).data ?? {};
  return (
    <>
      <PageTitle name="Requests" help={HELP} />
      <Stack>
        {groups.length > 0 && (
          <Panel title="Refused by code and route">
            <DataTable label="Refused requests by code" columns={COLUMNS} rows={groups} most={10} />
          </Panel>
        )}
        <Panel title="Refused or failed">
          <PagedTable
            query={requests}
            label="Requests"
            columns={REQUEST_COLUMNS}
            filters={filtersFor(groups)}
            idOf={({ request_id: id }) => id}
            nothing="No request was refused."
            noMatches="Only requests that were refused or failed are kept: one that succeeded is not among them."
          />
        </Panel>
        <CallsPanel
          by={by === 'minute' ? by : 'hour'}
          keyId={search.key}
          onChange={(step) => void navigate({ search: { ...search, by: step }, resetScroll: false })}
        />
        <OperatorsLine words="keys refused" ofAgency />
      </Stack>
    </>
  );
}
