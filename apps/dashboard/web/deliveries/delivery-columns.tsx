import { Badge, Button, Text } from '@mantine/core';
import type { ListedDeliveryAnswer } from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { answerOf, remedyOf } from '../components/remedies.js';
import { STATUS_NAMES } from './queries.js';

const { display } = columnsOf<ListedDeliveryAnswer>();
const COLORS = { pending: 'orange', delivered: 'green', failed: 'red' } as const;

export function DeliveryStatus({ status }: Pick<ListedDeliveryAnswer, 'status'>) {
  return (
    <Badge color={COLORS[status]} variant="dot" tt="none">
      {STATUS_NAMES[status]}
    </Badge>
  );
}

const shown = [
  display({
    id: 'Event',
    header: 'Event',
    cell: ({ row: { original } }) => (
      <>
        <Id value={original.event_id}>
          <LinkTo to="/deliveries/$id" params={{ id: original.id }} size="sm">
            {original.event_id}
          </LinkTo>
        </Id>
        <DateTime at={original.created_at} />
      </>
    ),
  }),
  display({ id: 'Type', header: 'Type', cell: ({ row }) => row.original.event_type }),
  display({
    id: 'Creator',
    header: 'Creator',
    cell: ({ row: { original } }) => (
      <Id value={original.creator_id}>
        <LinkTo to="/deliveries" search={{ creator: original.creator_id }} size="sm">
          {original.creator_id}
        </LinkTo>
      </Id>
    ),
  }),
  display({
    id: 'Endpoint',
    header: 'Endpoint',
    cell: ({ row: { original } }) => (
      <Id value={original.endpoint_id}>
        <LinkTo to="/deliveries" search={{ endpoint: original.endpoint_id }} size="sm">
          {original.endpoint_id}
        </LinkTo>
      </Id>
    ),
  }),
  display({
    id: 'Status',
    header: 'Status',
    cell: ({ row: { original } }) => <DeliveryStatus status={original.status} />,
  }),
  display({ id: 'Attempts', header: 'Attempts', cell: ({ row }) => row.original.attempts }),
  display({
    id: 'Answer',
    header: 'Answer',
    cell: ({ row: { original } }) => answerOf(original.last_status, original.last_error) || '–',
  }),
  display({
    id: 'Next attempt',
    header: 'Next attempt',
    cell: ({ row: { original } }) =>
      original.next_attempt_at === null ? '–' : <DateTime at={original.next_attempt_at} />,
  }),
];

const reason = display({
  id: 'Reason',
  header: 'Reason',
  cell: ({ row: { original } }) => (
    <Text size="xs">{remedyOf(original.last_status, original.last_error) || 'Not tried yet.'}</Text>
  ),
});

export interface DeliveryColumnsOptions {
  readonly withReason: boolean;
  /** Undefined where the person may not. */
  readonly replay: ((id: string) => void) | undefined;
}

export const deliveryColumns = ({ withReason, replay }: DeliveryColumnsOptions) => {
  const actions = display({
    id: 'Actions',
    header: '',
    cell: ({ row: { original } }) =>
      original.status !== 'pending' && (
        <Button size="compact-xs" variant="default" onClick={() => replay?.(original.id)}>
          Replay
        </Button>
      ),
  });
  return [...shown, ...(withReason ? [reason] : []), ...(replay === undefined ? [] : [actions])];
};
