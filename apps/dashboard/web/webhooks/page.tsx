import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedEndpointAnswer } from '../../answers/webhooks.js';
import { columnsOf, figure, menuColumn, UntilBound } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { duration, endpointName, number } from '../components/formats.js';
import { LinkTo, Thing } from '../components/id.js';
import { RowMenu } from '../components/menu.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { DisabledIn, EndpointStatus, SuccessRate, useEndpointActions } from './endpoint-actions.js';
import { endpointsQuery } from './queries.js';

const SHOWN = columnsOf<ListedEndpointAnswer>({
  URL: { line: 1, show: (row) => <Thing id={row.id} name={row.url} /> },
  Status: { width: 8, line: 1, show: (row) => <EndpointStatus endpoint={row} /> },
  'Success rate': figure((row) => <SuccessRate endpoint={row} />, 7),
  Latency: figure((row) => duration(row.latency_ms), 6),
  Pending: figure(
    (row) => (
      <LinkTo to="/deliveries" search={{ endpoint: row.id, status: 'pending' }}>
        {number(row.pending)}
      </LinkTo>
    ),
    5,
  ),
  'Last failure': { width: 7, show: (row) => <DateTime at={row.last_failure_at} /> },
  'Disabled in': { width: 7, show: (row) => <DisabledIn at={row.disables_at} /> },
});

const route = getRouteApi('/webhooks');

export function WebhooksPage() {
  const endpoints = useQuery(endpointsQuery(route.useSearch()));
  const { mayManage, mayAct, actionsOf, add, dialog } = useEndpointActions();
  const actions = menuColumn<ListedEndpointAnswer>((row) => (
    <RowMenu of={endpointName(row.url)} actions={actionsOf(row)} />
  ));
  return (
    <>
      <PageTitle
        name="Webhooks"
        help="An endpoint is an address of yours that gets each event as a signed request. One that fails for five days is disabled. Success rate and latency are of its attempts of the last 7 days; pending deliveries wait for their next attempt."
      >
        {mayManage && <Button onClick={add}>Add endpoint</Button>}
      </PageTitle>
      {dialog}
      <PagedTable
        query={endpoints}
        label="Endpoints"
        columns={mayAct ? [...SHOWN, ...actions] : SHOWN}
        nothing={<UntilBound>Add an endpoint to get events as they happen.</UntilBound>}
      />
    </>
  );
}
