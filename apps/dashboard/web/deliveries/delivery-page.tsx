import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { AttemptAnswer } from '../../src/deliveries/answers.js';
import { useMay } from '../api/session.js';
import { Copy } from '../components/copy.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Facts } from '../components/facts.js';
import { HttpMessage } from '../components/http-message.js';
import { Id } from '../components/id.js';
import { Loaded } from '../components/loaded.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { Panel } from '../components/panel.js';
import { answerOf, remedyOf } from '../components/remedies.js';
import { useChange } from '../components/use-change.js';
import { WITHHELD } from '../components/withheld.js';
import { DeliveryStatus } from './delivery-columns.js';
import { deliveryQuery, replayDelivery } from './queries.js';

export const deliveryPage = createLazyRoute('/deliveries/$id')({ component: DeliveryPage });
const route = getRouteApi('/deliveries/$id');

const COLUMNS = columnsOf<AttemptAnswer>({
  Time: (row) => <DateTime at={row.sent_at} />,
  Duration: (row) => (row.ms === null ? '–' : `${row.ms.toLocaleString('en')} ms`),
  Answer: (row) => answerOf(row.status, row.error),
  Remedy: (row) => remedyOf(row.status, row.error),
});

function DeliveryPage() {
  const { id } = route.useParams();
  const mayReplay = useMay('replay');
  const delivery = useQuery(deliveryQuery(id));
  const replay = useChange(replayDelivery);
  const canReplay = mayReplay && delivery.data !== undefined && delivery.data.status !== 'pending';
  return (
    <>
      <PageTitle name={id}>
        <Copy value={id} />
        {canReplay && (
          <Button onClick={() => replay.mutate(id)} loading={replay.isPending}>
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
                Type: one.event_type,
                Endpoint: <Id value={one.endpoint_id} />,
                Creator: <Id value={one.creator_id} />,
                ...(one.next_attempt_at !== null && { 'Next attempt': <DateTime at={one.next_attempt_at} /> }),
              }}
            />
            <Panel title="Attempts">
              <DataTable
                label="Attempts"
                columns={COLUMNS}
                rows={one.attempts}
                idOf={({ sent_at: at }) => `${at}`}
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
