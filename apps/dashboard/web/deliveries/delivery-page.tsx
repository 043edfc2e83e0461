import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AttemptAnswer } from '../../answers/deliveries.js';
import { useChange } from '../api/server-query.js';
import { useMay } from '../api/session.js';
import { columnsOf, DataTable, Empty, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert, Loaded } from '../components/error-alert.js';
import { duration } from '../components/formats.js';
import { answerOf, HttpMessage, WITHHELD } from '../components/http-message.js';
import { EndpointLink, Id, Thing } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { say } from '../components/toast.js';
import { DeliveryStatus } from './delivery-columns.js';
import { deliveryQuery, replayDelivery } from './queries.js';

const route = getRouteApi('/deliveries/$id');

const COLUMNS = columnsOf<AttemptAnswer>({
  Time: { width: 8, line: 1, show: (row) => <DateTime at={row.sent_at} /> },
  Duration: figure((row) => duration(row.ms), 6),
  Answer: { width: 9, line: 1, show: (row) => answerOf(row.status, row.error) },
  Remedy: { wraps: true, line: 3, show: (row) => row.remedy },
});

export function DeliveryPage() {
  const { id } = route.useParams();
  const mayReplay = useMay('replay');
  const delivery = useQuery(deliveryQuery(id));
  const replay = useChange(replayDelivery);
  const canReplay = mayReplay && delivery.data !== undefined && delivery.data.status !== 'pending';
  return (
    <>
      <PageTitle name={delivery.data?.event_type ?? 'Delivery'} id={id}>
        {canReplay && (
          <Button
            onClick={() => replay.mutate(id, { onSuccess: () => say('The delivery is sent again') })}
            loading={replay.isPending}
          >
            Replay
          </Button>
        )}
      </PageTitle>
      <ErrorAlert error={replay.error} title="The delivery was not replayed" />
      <Loaded query={delivery}>
        {(one) => (
          <Stack>
            <Facts
              facts={{
                Status: <DeliveryStatus status={one.status} />,
                Event: <Id value={one.event_id} />,
                Endpoint: <EndpointLink id={one.endpoint_id} url={one.endpoint_url} />,
                Creator: <Thing id={one.creator_id} name={one.creator_name} />,
                ...(one.next_attempt_at !== null && { 'Next attempt': <DateTime at={one.next_attempt_at} /> }),
              }}
            />
            <Panel title="Attempts">
              <DataTable
                label="Attempts"
                columns={COLUMNS}
                rows={one.attempts}
                empty={<Empty>It was not tried yet.</Empty>}
              />
            </Panel>
            <Panel title="Request">
              {one.withheld === null ? (
                <HttpMessage headers={one.headers} body={one.bytes} />
              ) : (
                <Text size="sm">{WITHHELD[one.withheld]}</Text>
              )}
            </Panel>
            <OperatorsLine words={`webhooks replay ${id}`} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
