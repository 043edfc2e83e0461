import { List, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DisabledSpanAnswer, ListedDeliveryAnswer } from '../../answers/deliveries.js';
import type { EventType } from '../../answers/parts.js';
import { useChange } from '../api/server-query.js';
import { useMay, useSession } from '../api/session.js';
import { menuColumn } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { choiceFilter, textFilter, timeFilter } from '../components/filters.js';
import { counted, DAY_MS, endpointName, words } from '../components/formats.js';
import { EndpointLink, LinkTo } from '../components/id.js';
import { ActionButtons, RowMenu } from '../components/menu.js';
import { PageTitle, Panel } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { say } from '../components/toast.js';
import { deliveryColumns, TONES } from './delivery-columns.js';
import { deliveriesQuery, endpointChoiceQuery, replayDelivery } from './queries.js';
import { ReplayAll, Replays } from './replay-all.js';

type Urls = ReadonlyMap<string, string>;

/** Events that occurred while an endpoint was disabled. They have no deliveries, so none can be replayed. */
function DisabledSpans({ spans, urls }: { readonly spans: readonly DisabledSpanAnswer[]; readonly urls: Urls }) {
  if (spans.length === 0) return null;
  return (
    <Panel title="While an endpoint was disabled">
      <Text size="sm" mb="xs">
        These events were not sent to it and cannot be replayed. They are in the event feed.
      </Text>
      <List size="sm" spacing="xs" aria-label="Spans">
        {spans.map(({ endpoint_id: endpoint, from, to, count }) => (
          <List.Item key={`${endpoint} ${from}`}>
            <LinkTo to="/events" search={{ from: `${from}`, ...(to !== null && { to: `${to}` }) }}>
              {counted(count, 'event')}
            </LinkTo>{' '}
            to <EndpointLink id={endpoint} url={urls.get(endpoint) ?? null} />, from <DateTime at={from} />{' '}
            {to === null ? 'until now' : 'to '}
            {to !== null && <DateTime at={to} />}
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}

const route = getRouteApi('/deliveries');

const HELP = {
  all: 'Each event is sent to each endpoint that takes its type, and again after a failure: five attempts in all.',
  undelivered: 'What active endpoints did not get, or not yet, and why.',
} as const;

const NONE = {
  all: 'Deliveries of your events appear here as they are sent.',
  undelivered: 'Active endpoints got everything so far.',
} as const;

const COLUMNS = {
  all: deliveryColumns('Event', 'Creator', 'Endpoint', 'Status', 'Attempts', 'Answer', 'Next attempt', 'Time'),
  undelivered: deliveryColumns(
    ...(['Event', 'Creator', 'Endpoint', 'Status', 'Attempts', 'Answer', 'Reason', 'Next attempt', 'Time'] as const),
  ),
};

const PRESETS = { '1 hour': DAY_MS / 24, '24 hours': DAY_MS, '7 days': 7 * DAY_MS };

const filtersFor = (types: readonly EventType[], urls: Urls) => ({
  endpoint: choiceFilter('Endpoint', [...urls.keys()], (id) => endpointName(urls.get(id) ?? id)),
  type: choiceFilter('Type', types),
  status: choiceFilter('Status', Object.keys(TONES), words),
  answer: textFilter('Answer', { placeholder: '500, 5xx, timeout' }),
  creator: textFilter('Creator', { prefix: 'crt_' }),
  event: textFilter('Event', { prefix: 'evt_' }),
  from: timeFilter('From'),
  to: timeFilter('To'),
});

export function DeliveriesPage() {
  const mayReplay = useMay('replay');
  const { agency, after, tab: asked, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const tab = asked === 'undelivered' ? asked : 'all';
  const search = { ...filters, ...(tab === 'undelivered' && { tab }) };
  const deliveries = useQuery(deliveriesQuery({ ...search, after }));
  const urls = new Map(useQuery(endpointChoiceQuery).data?.data.map(({ id, url }) => [id, url]));
  const { mutate: replay, error: replayError } = useChange(replayDelivery);
  const presets = Object.entries(PRESETS).map(([name, span]) => [
    name,
    () => void navigate({ search: { ...filters, tab: asked, from: `${Date.now() - span}`, to: undefined } }),
  ]);
  const send = ({ id, event_type: type }: ListedDeliveryAnswer) =>
    replay(id, { onSuccess: () => say(`${type} is sent again`) });
  const actions = menuColumn<ListedDeliveryAnswer>(
    (row) => row.status !== 'pending' && <RowMenu of={row.event_type} actions={{ Replay: () => send(row) }} />,
  );
  return (
    <Tabs
      value={tab}
      onChange={(value) => void navigate({ search: { ...filters, tab: value === 'all' ? undefined : 'undelivered' } })}
    >
      <PageTitle name="Deliveries" help={HELP[tab]}>
        <Tabs.List>
          <Tabs.Tab value="all">All</Tabs.Tab>
          <Tabs.Tab value="undelivered">Undelivered</Tabs.Tab>
        </Tabs.List>
        <ActionButtons actions={Object.fromEntries(presets)} />
        {mayReplay && <ReplayAll search={search} />}
      </PageTitle>
      <Tabs.Panel value={tab}>
        <ErrorAlert error={replayError} title="The delivery was not replayed" />
        {mayReplay && <Replays />}
        <Stack>
          <PagedTable
            query={deliveries}
            label="Deliveries"
            columns={[...COLUMNS[tab], ...(mayReplay ? actions : [])]}
            filters={filtersFor(useSession().event_types, urls)}
            nothing={NONE[tab]}
          />
          <DisabledSpans spans={deliveries.data?.disabled_spans ?? []} urls={urls} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
