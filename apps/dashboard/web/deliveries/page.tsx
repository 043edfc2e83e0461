import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMay } from '../api/session.js';
import { Empty } from '../components/empty.js';
import { ErrorAlert } from '../components/error-alert.js';
import { hasFilters } from '../components/filter-grid.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { useChange } from '../components/use-change.js';
import { deliveryColumns } from './delivery-columns.js';
import { DisabledSpans } from './disabled-spans.js';
import { FilterBar } from './filter-bar.js';
import { filtersOf } from './filters.js';
import { deliveriesQuery, replayDelivery } from './queries.js';
import { ReplayAll } from './replay-all.js';

export const deliveriesPage = createLazyRoute('/deliveries')({ component: DeliveriesPage });
const route = getRouteApi('/deliveries');

const HELP = {
  all: 'Each event is sent to each endpoint that takes its type, and again after a failure: five attempts in all.',
  undelivered: 'What active endpoints did not get, or not yet, and why.',
} as const;

const NONE = {
  all: 'Deliveries of your events appear here as they are sent.',
  undelivered: 'Active endpoints got everything so far.',
} as const;

function DeliveriesPage() {
  const mayReplay = useMay('replay');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = search.tab === 'undelivered' ? 'undelivered' : 'all';
  const filters = filtersOf(search);
  const deliveries = useQuery(
    deliveriesQuery({ ...filters, after: search.after, ...(tab === 'undelivered' && { tab }) }),
  );
  const { mutate: replay, error: replayError } = useChange(replayDelivery);
  const columns = useMemo(
    () => deliveryColumns({ withReason: tab === 'undelivered', replay: mayReplay ? replay : undefined }),
    [tab, mayReplay, replay],
  );
  return (
    <>
      <PageTitle name="Deliveries" help={HELP[tab]} />
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({ search: { ...filters, tab: value === 'all' ? undefined : 'undelivered' } })
        }
        mb="md"
      >
        <Tabs.List>
          <Tabs.Tab value="all">All</Tabs.Tab>
          <Tabs.Tab value="undelivered">Undelivered</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <FilterBar
            filters={filters}
            onChange={(changed) => void navigate({ search: { ...changed, tab: search.tab } })}
          />
          {mayReplay && <ReplayAll search={{ ...filters, ...(tab === 'undelivered' && { tab }) }} />}
          <ErrorAlert error={replayError} title="The delivery was not replayed" />
          <Stack>
            <PagedTable
              query={deliveries}
              label="Deliveries"
              columns={columns}
              idOf={({ id }) => id}
              empty={hasFilters(filters) ? <Empty isFiltered /> : <Empty>{NONE[tab]}</Empty>}
              after={search.after}
              onGo={(after) => void navigate({ search: { ...filters, tab: search.tab, after } })}
            />
            <DisabledSpans spans={deliveries.data?.disabled_spans ?? []} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
