import type { ListedDeliveryAnswer } from '../../answers/deliveries.js';
import { type Columns, columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { number } from '../components/formats.js';
import { answerOf } from '../components/http-message.js';
import { EndpointLink, LinkTo, Thing } from '../components/id.js';
import { RowMenu } from '../components/row-menu.js';
import { Status } from '../components/status.js';
import { STATUS_NAMES } from './queries.js';

const TONES = { pending: 'wait', delivered: 'good', failed: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<ListedDeliveryAnswer, 'status'>) {
  return <Status tone={TONES[status]}>{STATUS_NAMES[status]}</Status>;
}

const SHOWN = columnsOf<ListedDeliveryAnswer>({
  Event: {
    width: 11.5,
    line: 1,
    show: (row) => (
      <LinkTo to="/deliveries/$id" params={{ id: row.id }}>
        {row.event_type}
      </LinkTo>
    ),
  },
  Creator: (row) => <Thing id={row.creator_id} name={row.creator_name} />,
  Endpoint: (row) => <EndpointLink id={row.endpoint_id} url={row.endpoint_url} />,
  Status: { width: 6, line: 1, show: (row) => <DeliveryStatus status={row.status} /> },
  Attempts: { width: 4.5, line: 3, isFigure: true, show: (row) => number(row.attempts) },
  Answer: { width: 7, line: 3, show: (row) => answerOf(row.last_status, row.last_error) || '–' },
});

const TIMES = columnsOf<ListedDeliveryAnswer>({
  'Next attempt': {
    width: 6.5,
    line: 3,
    label: 'Next',
    show: (row) => row.next_attempt_at !== null && <DateTime at={row.next_attempt_at} />,
  },
  Time: { width: 6.5, show: (row) => <DateTime at={row.created_at} /> },
});

/** The remedy is in the tip: a row has one line. */
const REASON = columnsOf<ListedDeliveryAnswer>({
  Reason: {
    line: 2,
    show: (row) => {
      const reason = row.remedy || 'Not tried yet.';
      return <span data-tip={reason}>{reason}</span>;
    },
  },
});

export interface DeliveryColumnsOptions {
  readonly withReason: boolean;
  /** Undefined where the person may not. */
  readonly replay: ((delivery: ListedDeliveryAnswer) => void) | undefined;
}

export const deliveryColumns = ({ withReason, replay }: DeliveryColumnsOptions): Columns<ListedDeliveryAnswer> => {
  const actions = columnsOf<ListedDeliveryAnswer>({
    Actions: {
      width: 3,
      show: (row) =>
        row.status !== 'pending' && <RowMenu of={row.event_type} actions={{ Replay: () => replay?.(row) }} />,
    },
  });
  return [...SHOWN, ...(withReason ? REASON : []), ...TIMES, ...(replay === undefined ? [] : actions)];
};
