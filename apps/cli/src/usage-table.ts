import Table from 'cli-table3';
import type { DocumentedInterval, DocumentedSwitch, Reason, UsageComparison, UsageDocument } from '#audit';
import { csvRecord } from '#csv';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { dayOf, splitByDay } from '#usage';

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
        splitByDay(interval.from, interval.to).map(({ start, length }) =>
          csvRecord([creator_id, dayOf(start), length, ...cellsOf(interval)]),
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

/** Minor units as a reader writes them, `12.34 EUR`; a dash if no price is configured. */
export const money = (cents: number | null, currency: string): string =>
  cents === null ? '–' : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${currency}`;

export const pricedAt = ({ per_creator_month_cents: cents, currency }: UsageDocument['price']): string =>
  cents === null
    ? '. No price is configured.'
    : `, at ${money(cents, currency)} for a creator month. This is an estimate, not an invoice.`;

/** Milliseconds as days, hours, minutes and seconds, exactly. */
export const length = (milliseconds: number): string => {
  const size = Math.abs(milliseconds);
  const clock = [
    Math.floor((size % DAY) / HOUR),
    Math.floor((size % HOUR) / MINUTE),
    Math.floor((size % MINUTE) / SECOND),
  ]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const rest = String(size % SECOND).padStart(3, '0');
  return `${milliseconds < 0 ? '-' : ''}${Math.floor(size / DAY)}d ${clock}.${rest}`;
};

export const instant = (at: number): string => new Date(at).toISOString();

const REASONS: Readonly<Record<Reason['kind'], string>> = {
  began: 'protection was switched on',
  ended: 'protection was switched off',
  went_on: 'stayed on',
  not_in_this_log: 'is not in this log',
};

export const usageAsTable = (document: UsageDocument): string => {
  const { agency_id, month, measured_through, creators, price } = document;
  const head = `Usage of ${agency_id} in ${month}, through ${measured_through}${pricedAt(price)}`;
  const sections = creators.map(({ creator_id, active_milliseconds, share_cents, days, intervals }) =>
    [
      `${creator_id}  ${length(active_milliseconds)}${share_cents === null ? '' : `  ${share_cents} cents`}`,
      tableOf(
        ['day', 'active'],
        days.map((day) => [day.date, length(day.active_milliseconds)]),
      ),
      tableOf(
        ['from', 'to', 'active', 'switched on', 'switched off'],
        intervals.map((interval) => [
          instant(interval.from),
          interval.closed_by === null ? 'open' : instant(interval.to),
          length(interval.active_milliseconds),
          describe(interval.opened_by),
          interval.closed_by === null ? '–' : describe(interval.closed_by),
        ]),
      ),
    ].join('\n'),
  );
  return [head, ...sections, sumOf(document, price.currency)].join('\n\n');
};

export const comparisonAsTable = ({ agency_id, month, before, after, creators }: UsageComparison): string =>
  [
    `Usage of ${agency_id} in ${month}: through ${before.measured_through}, and through ${after.measured_through}`,
    tableOf(
      ['creator', 'difference', 'because it', 'event'],
      creators.flatMap(({ creator_id, reasons }) =>
        reasons.map(({ kind, milliseconds, event }) => [
          creator_id,
          length(milliseconds),
          REASONS[kind],
          describe(event),
        ]),
      ),
    ),
    tableOf(
      ['', 'earlier', 'now'],
      [
        ['active time', length(before.totals.active_milliseconds), length(after.totals.active_milliseconds)],
        ['price of a creator month', priceOf(before.price), priceOf(after.price)],
        ['total', totalOf(before), totalOf(after)],
      ],
    ),
  ].join('\n\n');

const sumOf = ({ totals }: UsageDocument, currency: string): string =>
  tableOf(
    ['creators', 'active', 'seconds', 'creator months', 'subtotal', 'minimum', 'total'],
    [
      [
        String(totals.active_creator_count),
        length(totals.active_milliseconds),
        String(totals.creator_seconds),
        String(totals.creator_months),
        money(totals.estimated_subtotal_cents, currency),
        money(totals.minimum_monthly_cents, currency),
        money(totals.estimated_total_cents, currency),
      ],
    ],
  );

const priceOf = ({ per_creator_month_cents, currency }: UsageDocument['price']): string =>
  money(per_creator_month_cents, currency);

const totalOf = ({ totals, price }: Pick<UsageDocument, 'totals' | 'price'>): string =>
  money(totals.estimated_total_cents, price.currency);

const describe = ({ event_id, actor, request_id, reason }: DocumentedSwitch): string =>
  `${event_id}\nby ${actor} (${reason})\nin ${request_id}`;

const tableOf = (head: string[], rows: string[][]): string => {
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
};
