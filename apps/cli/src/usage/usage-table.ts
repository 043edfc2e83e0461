import Table from 'cli-table3';
import type { DocumentedSwitch, Reason, UsageComparison, UsageDocument } from '#audit';
import { instant, length, money, pricedAt } from './amounts.js';

const REASONS: Readonly<Record<Reason['kind'], string>> = {
  began: 'protection was switched on',
  ended: 'protection was switched off',
  went_on: 'stayed on',
  not_in_this_log: 'is not in this log',
};

/** The month for a terminal: totals, then each creator's days and intervals. */
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

/** The differences for a terminal, each with the event behind it. */
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
