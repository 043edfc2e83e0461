import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { UsageIntervalAnswer, UsageSwitch } from '../api/types.gen.js';
import { Copy } from '../components/copy.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Actor, Id, isOfKey } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { PageTitle } from '../components/page-title.js';
import { duration, share } from './amounts.js';
import { intervalsQuery } from './queries.js';

export const usageOfCreatorPage = createLazyRoute('/usage/$id')({ component: UsageOfCreatorPage });
const route = getRouteApi('/usage/$id');

interface SwitchProps {
  readonly event: UsageSwitch | null;
  /** The end of what counts in the month, where the event is outside of it. */
  readonly counted: 'from' | 'until';
  readonly at: number;
}

function Switch({ event, counted, at }: SwitchProps) {
  const { id } = route.useParams();
  if (event === null) return 'Still active';
  return (
    <>
      <DateTime at={event.at} />
      {at !== event.at && (
        <Text size="xs" component="div" fw={600}>
          Counts in this month {counted} <DateTime at={at} />
        </Text>
      )}
      <Text size="xs" component="div">
        {event.reason.replaceAll('_', ' ')} by <Actor value={event.actor} />
      </Text>
      <Text size="xs" component="div">
        Request <Id value={event.request_id} isRequest={isOfKey(event.actor)} />
      </Text>
      <Text size="xs" component="div">
        Event{' '}
        <Id value={event.event_id}>
          <LinkTo
            to="/creators/$id"
            params={{ id }}
            search={{ part: 'timeline', after: event.timeline_cursor }}
            size="xs"
          >
            {event.event_id}
          </LinkTo>
        </Id>
      </Text>
    </>
  );
}

const { display } = columnsOf<UsageIntervalAnswer>();
const COLUMNS = [
  display({
    id: 'Begins',
    header: 'Begins',
    cell: ({ row }) => <Switch event={row.original.opened_by} counted="from" at={row.original.from} />,
  }),
  display({
    id: 'Ends',
    header: 'Ends',
    cell: ({ row }) => <Switch event={row.original.closed_by} counted="until" at={row.original.to} />,
  }),
  display({ id: 'In this month', header: 'In this month', cell: ({ row }) => duration(row.original.active) }),
  display({ id: 'Exact share', header: 'Exact share', cell: ({ row }) => share(row.original.share_cents) }),
];

function UsageOfCreatorPage() {
  const { id } = route.useParams();
  const { month } = route.useSearch();
  const intervals = useQuery(intervalsQuery(id, month));
  return (
    <>
      <PageTitle name={id} help="Each interval of active time in the month, and the two events that made it.">
        <Copy value={id} what={id} />
      </PageTitle>
      <Stack>
        <LinkTo to="/creators/$id" params={{ id }}>
          The creator
        </LinkTo>
        <Loaded query={intervals}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty>The creator's protection was not active in this month.</Empty>
            ) : (
              <DataTable label="Intervals" columns={COLUMNS} rows={data} idOf={({ opened_by: by }) => by.event_id} />
            )
          }
        </Loaded>
      </Stack>
    </>
  );
}
