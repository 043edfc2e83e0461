import { Code, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ListedDeliveryAnswer } from '../../src/deliveries/answers.js';
import type { EventAnswer } from '../../src/events/answers.js';
import { Copy } from '../components/copy.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Facts } from '../components/facts.js';
import { Actor, Id, isOfKey } from '../components/id.js';
import { Loaded } from '../components/loaded.js';
import { Notice } from '../components/notice.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { Panel } from '../components/panel.js';
import { WITHHELD } from '../components/withheld.js';
import { eventQuery } from './queries.js';

export const eventPage = createLazyRoute('/events/$id')({ component: EventPage });
const route = getRouteApi('/events/$id');

const COLUMNS = columnsOf<ListedDeliveryAnswer>({
  Delivery: (row) => <Id value={row.id} />,
  Endpoint: (row) => <Id value={row.endpoint_id} />,
  Status: (row) => row.status,
  Attempts: (row) => row.attempts,
});

function EventPage() {
  const { id } = route.useParams();
  const event = useQuery(eventQuery(id));
  return (
    <>
      <PageTitle name={id}>
        <Copy value={id} />
      </PageTitle>
      <Loaded query={event}>
        {(shown) => (
          <Stack>
            <Facts
              facts={{
                Type: shown.type,
                Creator: <Id value={shown.creator_id} />,
                Created: <DateTime at={shown.created_at} />,
                Published: <DateTime at={shown.published_at} />,
              }}
            />
            <Cause cause={shown.cause} creator={shown.creator_id} />
            <Panel title="Bytes">
              {shown.withheld === null ? (
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="auto">
                  {shown.bytes}
                </Code>
              ) : (
                <Notice>{WITHHELD[shown.withheld]}</Notice>
              )}
            </Panel>
            <Panel title="Deliveries">
              <DataTable
                label="Deliveries"
                columns={COLUMNS}
                rows={shown.deliveries}
                idOf={({ id: delivery }) => delivery}
                empty={<Empty>No endpoint takes events of this type.</Empty>}
              />
            </Panel>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Cause({ cause, creator }: Pick<EventAnswer, 'cause'> & { readonly creator: string }) {
  if (cause === null) return null;
  return (
    <Panel title="Cause">
      <Facts
        facts={{
          What: cause.type,
          Where: <Id value={cause.stream.slice(cause.stream.indexOf('-') + 1)} creator={creator} />,
          When: <DateTime at={cause.at} />,
          'Caused by': <Actor value={cause.actor} />,
          Request: <Id value={cause.request_id} isRequest={isOfKey(cause.actor)} />,
        }}
      />
      <OperatorsLine words={`events history --causation ${cause.event_id}`} />
    </Panel>
  );
}
