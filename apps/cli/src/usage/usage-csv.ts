import type { DocumentedInterval, DocumentedSwitch, UsageDocument } from '#audit';
import { csvRecord } from '#csv';
import { splitByDay } from '#usage';

const COLUMNS = [
  'creator_id',
  'date',
  'active_milliseconds',
  'interval_from',
  'interval_to',
  'opened_event_id',
  'opened_by',
  'opened_request_id',
  'closed_event_id',
  'closed_by',
  'closed_request_id',
];

/** A record for each creator, day and interval; its milliseconds add up to the month's. */
export const usageAsCsv = ({ creators }: UsageDocument): string =>
  [
    csvRecord(COLUMNS),
    ...creators.flatMap(({ creator_id, intervals }) =>
      intervals.flatMap((interval) =>
        splitByDay(interval.from, interval.to).map(({ day, length }) =>
          csvRecord([creator_id, day, length, ...cellsOf(interval)]),
        ),
      ),
    ),
  ].join('');

const cellsOf = ({ from, to, opened_by, closed_by }: DocumentedInterval): (string | null)[] => [
  new Date(from).toISOString(),
  new Date(to).toISOString(),
  ...switchCells(opened_by),
  ...switchCells(closed_by),
];

const switchCells = (by: DocumentedSwitch | null): (string | null)[] => [
  by?.event_id ?? null,
  by?.actor ?? null,
  by?.request_id ?? null,
];
