import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { EndpointAnswer, EndpointDayAnswer, EndpointFailureAnswer } from '../../answers/webhooks.js';
import { ChartedTable } from '../components/charted-table.js';
import { columnsOf, DataTable, Empty, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { counted, duration, endpointName, number } from '../components/formats.js';
import { answerOf } from '../components/http-message.js';
import { LinkTo } from '../components/id.js';
import { ActionButtons } from '../components/menu.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { deliveryColumns } from '../deliveries/delivery-columns.js';
import { disabledReason, EndpointStatus, SuccessRate, useEndpointActions } from './endpoint-actions.js';
import { endpointQuery, recentDeliveriesQuery } from './queries.js';
import { SignatureCheck } from './signature-check.js';

const route = getRouteApi('/webhooks/$id');

const DELIVERY_COLUMNS = deliveryColumns('Event', 'Creator', 'Status', 'Attempts', 'Answer', 'Next attempt', 'Time');

const DAY_COLUMNS = columnsOf<EndpointDayAnswer>({
  'Day (UTC)': { line: 1, show: (row) => row.day },
  Delivered: figure((row) => number(row.delivered)),
  Failed: figure((row) => number(row.failed)),
  Latency: figure((row) => duration(row.latency_ms)),
});

const failureColumns = (endpoint: string) =>
  columnsOf<EndpointFailureAnswer>({
    Answer: {
      width: 10,
      line: 1,
      show: ({ status, error }) => (
        <LinkTo to="/deliveries" search={{ endpoint, answer: status === null ? (error ?? '') : `${status}` }}>
          {answerOf(status, error)}
        </LinkTo>
      ),
    },
    Deliveries: figure((row) => number(row.count), 6),
    Latest: { width: 7, line: 3, show: (row) => <DateTime at={row.last_at} /> },
    'What to do': { wraps: true, show: (row) => row.remedy },
  });

export function EndpointPage() {
  const { id } = route.useParams();
  const endpoint = useQuery(endpointQuery(id));
  const recent = useQuery(recentDeliveriesQuery(id));
  const { actionsOf, dialog } = useEndpointActions();
  const { data } = endpoint;
  return (
    <>
      <PageTitle name={data === undefined ? 'Endpoint' : endpointName(data.url)} id={id}>
        {data !== undefined && <ActionButtons actions={actionsOf(data)} />}
      </PageTitle>
      {dialog}
      <Loaded query={endpoint}>
        {(shown) => (
          <Stack>
            <About endpoint={shown} />
            {shown.failures.length > 0 && (
              <Panel title="Failures by answer">
                <Text size="sm" mb="xs">
                  Of its latest 1,000 deliveries of 7 days, those that have not succeeded so far.
                </Text>
                <DataTable label="Failures by answer" columns={failureColumns(id)} rows={shown.failures} />
              </Panel>
            )}
            <Panel title="Attempts of the last 7 days">
              {shown.days.length === 0 ? (
                <Empty>Attempts to deliver events are counted here.</Empty>
              ) : (
                <ChartedTable
                  bars={shown.days.map(({ day, delivered, failed }) => ({ day, Delivered: delivered, Failed: failed }))}
                  label="Attempts by day"
                  columns={DAY_COLUMNS}
                  rows={shown.days}
                />
              )}
            </Panel>
            <Panel title="Recent deliveries">
              <Loaded query={recent}>
                {({ data: rows }) => (
                  <DataTable
                    label="Recent deliveries"
                    columns={DELIVERY_COLUMNS}
                    rows={rows}
                    empty={<Empty>Events that happen from now on are sent to it.</Empty>}
                  />
                )}
              </Loaded>
              <LinkTo to="/deliveries" search={{ endpoint: id }} size="sm">
                All its deliveries
              </LinkTo>
            </Panel>
            <SignatureCheck endpoint={id} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Why({ endpoint }: { readonly endpoint: EndpointAnswer }) {
  const { failing_since: since, disables_at: end } = endpoint;
  if (endpoint.status === 'earlier_binding') return 'An earlier owner registered it. Nothing is sent to it.';
  if (endpoint.status === 'disabled') return disabledReason(endpoint);
  if (since === null) return endpoint.days.length === 0 ? 'No attempt so far' : 'Its latest attempt succeeded';
  return (
    <>
      No attempt has succeeded since <DateTime at={since} />
      {end !== null && (
        <>
          . It is disabled <DateTime at={end} /> unless one succeeds before
        </>
      )}
    </>
  );
}

function About({ endpoint }: { readonly endpoint: EndpointAnswer }) {
  const { secrets, types, latency_ms: latency } = endpoint;
  const older = secrets.flatMap(({ until }) => until ?? []);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Facts
        facts={{
          Status: <EndpointStatus endpoint={endpoint} />,
          Why: <Why endpoint={endpoint} />,
          'Success rate, 7 days': <SuccessRate endpoint={endpoint} />,
          'Latency, 7 days': duration(latency),
          Pending: (
            <LinkTo to="/deliveries" search={{ endpoint: endpoint.id, status: 'pending' }}>
              {counted(endpoint.pending, 'delivery', 'deliveries')}
            </LinkTo>
          ),
        }}
      />
      <Facts
        facts={{
          URL: <bdi>{endpoint.url}</bdi>,
          Registered: <DateTime at={endpoint.created_at} />,
          'Event types': types === null ? 'All, including later ones' : types.join(', '),
          'Secrets in force': (
            <>
              {number(secrets.length)}
              {older.map((until) => (
                <div key={until}>
                  An older one signs until <DateTime at={until} />
                </div>
              ))}
            </>
          ),
        }}
      />
    </SimpleGrid>
  );
}
