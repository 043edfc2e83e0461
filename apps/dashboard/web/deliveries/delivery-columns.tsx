import { Badge, Button, Text } from '@mantine/core';
import type { ListedDeliveryAnswer } from '../../src/deliveries/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { answerOf, remedyOf } from '../components/remedies.js';
import { STATUS_NAMES } from './queries.js';

const COLORS = { pending: 'orange', delivered: 'green', failed: 'red' } as const;

export function DeliveryStatus({ status }: Pick<ListedDeliveryAnswer, 'status'>) {
  return (
    <Badge color={COLORS[status]} variant="dot" tt="none">
      {STATUS_NAMES[status]}
    </Badge>
  );
}

const SHOWN = columnsOf<ListedDeliveryAnswer>({
  Event: (row) => (
    <>
      <Id value={row.event_id}>
        <LinkTo to="/deliveries/$id" params={{ id: row.id }} size="sm">
          {row.event_id}
        </LinkTo>
      </Id>
      <DateTime at={row.created_at} />
    </>
  ),
  Type: (row) => row.event_type,
  Creator: (row) => (
    <Id value={row.creator_id}>
      <LinkTo to="/deliveries" search={{ creator: row.creator_id }} size="sm">
        {row.creator_id}
      </LinkTo>
    </Id>
  ),
  Endpoint: (row) => (
    <Id value={row.endpoint_id}>
      <LinkTo to="/deliveries" search={{ endpoint: row.endpoint_id }} size="sm">
        {row.endpoint_id}
      </LinkTo>
    </Id>
  ),
  Status: (row) => <DeliveryStatus status={row.status} />,
  Attempts: (row) => row.attempts,
  Answer: (row) => answerOf(row.last_status, row.last_error) || '–',
  'Next attempt': (row) => (row.next_attempt_at === null ? '–' : <DateTime at={row.next_attempt_at} />),
});

const REASON = columnsOf<ListedDeliveryAnswer>({
  Reason: (row) => <Text size="xs">{remedyOf(row.last_status, row.last_error) || 'Not tried yet.'}</Text>,
});

export interface DeliveryColumnsOptions {
  readonly withReason: boolean;
  /** Undefined where the person may not. */
  readonly replay: ((id: string) => void) | undefined;
}

export const deliveryColumns = ({ withReason, replay }: DeliveryColumnsOptions) => {
  const actions = columnsOf<ListedDeliveryAnswer>({
    Actions: (row) =>
      row.status !== 'pending' && (
        <Button size="compact-xs" variant="default" onClick={() => replay?.(row.id)}>
          Replay
        </Button>
      ),
  });
  return [...SHOWN, ...(withReason ? REASON : []), ...(replay === undefined ? [] : actions)];
};
