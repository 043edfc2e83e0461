import type { TimelineEvent } from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Actor, Id, isOfKey } from '../components/id.js';

/** `creator.protectionPaused.v1` as `protection paused`. */
const eventName = (type: string): string =>
  (type.split('.')[1] ?? type).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const { display } = columnsOf<TimelineEvent>();

/** Events of one stream. */
export const TIMELINE_COLUMNS = [
  display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.at} /> }),
  display({ id: 'What', header: 'What', cell: ({ row }) => eventName(row.original.type) }),
  display({ id: 'Caused by', header: 'Caused by', cell: ({ row }) => <Actor value={row.original.actor} /> }),
  display({
    id: 'Request',
    header: 'Request',
    cell: ({ row: { original } }) => <Id value={original.request_id} isRequest={isOfKey(original.actor)} />,
  }),
  display({ id: 'Id', header: 'Id', cell: ({ row }) => <Id value={row.original.id} /> }),
];
