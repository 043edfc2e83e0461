import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DayAnswer } from '../../src/overview/answers.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { LinkTo } from '../components/link-to.js';
import { Panel } from '../components/panel.js';

const DayChart = lazy(async () => ({ default: (await import('../charts/day-chart.js')).DayChart }));

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A day in UTC as the filter of the events has it. */
const spanOf = ({ day }: DayAnswer) => ({ from: `${Date.parse(day)}`, to: `${Date.parse(day) + DAY_MS - 1}` });

const COLUMNS = columnsOf<DayAnswer>({
  'Day (UTC)': (row) => row.day,
  Events: (row) => (
    <LinkTo to="/events" search={spanOf(row)} size="sm">
      {row.count.toLocaleString('en')}
    </LinkTo>
  ),
});

export function EventsPanel({ days }: { readonly days: readonly DayAnswer[] }) {
  const sum = days.reduce((total, { count }) => total + count, 0);
  return (
    <Panel title="Events of the last 30 days">
      <Text size="sm" mb="sm">
        <LinkTo to="/events">{sum.toLocaleString('en')} events</LinkTo>; a day is one in UTC.
      </Text>
      <Suspense fallback={<Skeleton height={200} />}>
        <DayChart days={days} />
      </Suspense>
      <details>
        <summary>The same as a table</summary>
        <DataTable label="Events by day" columns={COLUMNS} rows={days} idOf={({ day }) => day} />
      </details>
    </Panel>
  );
}
