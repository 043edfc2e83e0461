import type { ListedDeliveryAnswer } from '../../answers/deliveries.js';
import { type Cells, type Columns, columnsOf, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { number, words } from '../components/formats.js';
import { answerOf } from '../components/http-message.js';
import { EndpointLink, Thing } from '../components/id.js';
import { Status } from '../components/status.js';

export const TONES = { pending: 'wait', delivered: 'good', failed: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<ListedDeliveryAnswer, 'status'>) {
  return <Status tone={TONES[status]}>{words(status)}</Status>;
}

const CELLS = {
  Event: { width: 11.5, line: 1, show: (row) => <Thing id={row.id} name={row.event_type} /> },
  Creator: (row) => <Thing id={row.creator_id} name={row.creator_name} />,
  Endpoint: (row) => <EndpointLink id={row.endpoint_id} url={row.endpoint_url} />,
  Status: { width: 6, line: 1, show: (row) => <DeliveryStatus status={row.status} /> },
  Attempts: figure((row) => number(row.attempts), 4.5),
  Answer: { width: 7, line: 3, show: (row) => answerOf(row.last_status, row.last_error) || '–' },
  /** In its tip too: a row has one line. */
  Reason: ({ remedy }) => <span data-tip={remedy || 'Not tried yet.'}>{remedy || 'Not tried yet.'}</span>,
  'Next attempt': {
    width: 6.5,
    line: 3,
    label: 'Next',
    show: (row) => row.next_attempt_at !== null && <DateTime at={row.next_attempt_at} />,
  },
  Time: { width: 6.5, show: (row) => <DateTime at={row.created_at} /> },
} satisfies Cells<ListedDeliveryAnswer>;

/** The columns of deliveries, which look the same in each list of them. */
export const deliveryColumns = (...names: readonly (keyof typeof CELLS)[]): Columns<ListedDeliveryAnswer> =>
  columnsOf(Object.fromEntries(names.map((name) => [name, CELLS[name]])));
