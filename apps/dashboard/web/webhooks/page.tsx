import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useMay } from '../api/session.js';
import { Empty } from '../components/empty.js';
import { ErrorAlert } from '../components/error-alert.js';
import { OneOnly } from '../components/one-only.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { useChange } from '../components/use-change.js';
import { type EndpointAction, endpointColumns } from './endpoint-columns.js';
import type { OpenedEndpointDialog } from './endpoint-dialog.js';
import { enableEndpoint, endpointsQuery } from './queries.js';
import { SignatureCheck } from './signature-check.js';

export const webhooksPage = createLazyRoute('/webhooks')({ component: WebhooksPage });
const route = getRouteApi('/webhooks');

const OF_MANAGERS: readonly EndpointAction[] = ['test', 'rotate', 'types', 'enable'];

const EndpointDialog = lazy(async () => ({ default: (await import('./endpoint-dialog.js')).EndpointDialog }));

function WebhooksPage() {
  const mayManage = useMay('manage_endpoints');
  const mayDisable = useMay('disable_endpoints');
  const { after, endpoint: only } = route.useSearch();
  const navigate = route.useNavigate();
  const endpoints = useQuery(endpointsQuery({ after, endpoint: only }));
  const { mutate: enable, error: enableError } = useChange(enableEndpoint);
  const [opened, setOpened] = useState<OpenedEndpointDialog>();
  const columns = useMemo(
    () =>
      endpointColumns(
        [...(mayManage ? OF_MANAGERS : []), ...(mayDisable ? (['disable'] as const) : [])],
        (action, endpoint) => {
          if (action === 'enable') enable(endpoint.id);
          else setOpened({ dialog: action, endpoint });
        },
      ),
    [mayManage, mayDisable, enable],
  );
  return (
    <>
      <PageTitle
        name="Webhooks"
        help="An endpoint is an address of yours that gets each event as a signed request. One that fails for five days is disabled. Success rate and latency are of its attempts of the last 7 days; pending deliveries wait for their next attempt."
      >
        {mayManage && <Button onClick={() => setOpened({ dialog: 'add' })}>Add endpoint</Button>}
      </PageTitle>
      <Stack>
        <ErrorAlert error={enableError} title="The endpoint was not enabled" />
        <OneOnly id={only} onClear={() => void navigate({ search: {} })} />
        <PagedTable
          query={endpoints}
          label="Endpoints"
          columns={columns}
          idOf={({ id }) => id}
          empty={
            only === undefined ? <Empty>Add an endpoint to get events as they happen.</Empty> : <Empty isFiltered />
          }
          after={after}
          onGo={(cursor) => void navigate({ search: { after: cursor } })}
        />
        <SignatureCheck endpoints={endpoints.data?.data ?? []} />
      </Stack>
      <Suspense>{opened !== undefined && <EndpointDialog opened={opened} onChange={setOpened} />}</Suspense>
    </>
  );
}
