import type { TimelineEvent } from '../../src/creators/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Actor, Id, isOfKey } from '../components/id.js';

/** `creator.protectionPaused.v1` as `protection paused`. */
const eventName = (type: string): string =>
  (type.split('.')[1] ?? type).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Events of one stream. */
export const TIMELINE_COLUMNS = columnsOf<TimelineEvent>({
  Time: (row) => <DateTime at={row.at} />,
  What: (row) => eventName(row.type),
  'Caused by': (row) => <Actor value={row.actor} />,
  Request: (row) => <Id value={row.request_id} isRequest={isOfKey(row.actor)} />,
  Id: (row) => <Id value={row.id} />,
});
