import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { EventAnswer } from '../../answers/events.js';
import { DataTable, Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded, Notice } from '../components/error-alert.js';
import { Bytes, WITHHELD } from '../components/http-message.js';
import { Actor, Id, isOfKey, isOfProcess, Name, Thing } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { deliveryColumns } from '../deliveries/delivery-columns.js';
import { eventQuery } from './queries.js';

const route = getRouteApi('/events/$id');

const COLUMNS = deliveryColumns('Event', 'Endpoint', 'Status', 'Attempts', 'Answer', 'Time');

export function EventPage() {
  const { id } = route.useParams();
  const event = useQuery(eventQuery(id));
  return (
    <>
      <PageTitle name={event.data?.type ?? 'Event'} id={id} />
      <Loaded query={event}>
        {(shown) => (
          <Stack>
            <Facts
              facts={{
                Creator: <Thing id={shown.creator_id} name={shown.creator_name} />,
                Summary: <Name>{shown.summary ?? '–'}</Name>,
                Created: <DateTime at={shown.created_at} />,
                Published: <DateTime at={shown.published_at} />,
              }}
            />
            <Cause cause={shown.cause} creator={shown.creator_id} />
            <Panel title="Bytes">
              {shown.withheld === null ? <Bytes text={shown.bytes} /> : <Notice>{WITHHELD[shown.withheld]}</Notice>}
            </Panel>
            <Panel title="Deliveries">
              <DataTable
                label="Deliveries"
                columns={COLUMNS}
                rows={shown.deliveries}
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
          'Caused by': <Actor value={cause.actor} name={cause.actor_name} />,
          [isOfProcess(cause.actor) ? 'Run' : 'Request']: (
            <Id value={cause.request_id} isRequest={isOfKey(cause.actor)} />
          ),
        }}
      />
      <OperatorsLine words={`events history --causation ${cause.event_id}`} />
    </Panel>
  );
}
