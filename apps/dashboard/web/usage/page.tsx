import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { UsageDay, UsageMonthAnswer } from '../../src/usage/answers.js';
import { duration, latestMonths, money, share } from '../components/amounts.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Facts } from '../components/facts.js';
import { FilterChoice } from '../components/filter-choice.js';
import { Id } from '../components/id.js';
import { Loaded } from '../components/loaded.js';
import { Notice } from '../components/notice.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { Panel } from '../components/panel.js';
import { CreatorsOfMonth } from './creators-of-month.js';
import { usageQuery } from './queries.js';
import { Statement } from './statement.js';

const DayChart = lazy(async () => ({ default: (await import('../charts/day-chart.js')).DayChart }));

export const usagePage = createLazyRoute('/usage')({ component: UsagePage });
const route = getRouteApi('/usage');

const COLUMNS = columnsOf<UsageDay>({
  'Day (UTC)': (row) => row.date,
  'Active creators': (row) => row.active_creators,
  'Active time': (row) => duration(row.active),
  'Exact share': (row) => share(row.share_cents),
});

function UsagePage() {
  const { month, after } = route.useSearch();
  const navigate = route.useNavigate();
  const usage = useQuery(usageQuery(month));
  return (
    <>
      <PageTitle name="Usage" help="Time in which protection was active, in months of UTC. An estimate, no invoice." />
      <FilterChoice
        label="Month (UTC)"
        none="This month"
        maw="12rem"
        mb="md"
        value={month}
        onChange={(value) => void navigate({ search: { month: value } })}
        choices={latestMonths(new Date())}
      />
      <Loaded query={usage}>
        {(shown) =>
          !shown.is_bound ? (
            <Empty>Usage is counted from the first binding of the agency on.</Empty>
          ) : (
            <Stack>
              <Totals usage={shown} />
              {shown.is_too_large ? (
                <Notice title="No shares by day">
                  The month has more than 50,000 intervals, too many to add up by day for a page. By creator, in the
                  file and in the signed statement nothing is left out.
                </Notice>
              ) : (
                <Days days={shown.days} />
              )}
              <CreatorsOfMonth
                month={shown.month}
                after={after}
                onGo={(cursor) => void navigate({ search: { month, after: cursor }, resetScroll: false })}
              />
              <Statement month={shown.month} />
              <OperatorsLine words={`usage explain --month ${shown.month}`} ofAgency />
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}

function Totals({ usage }: { readonly usage: UsageMonthAnswer }) {
  const { month, totals, per_creator_month_cents: price } = usage;
  const { currency } = totals;
  return (
    <Panel title={`Month ${month}`}>
      <Facts
        facts={{
          'Estimated total': money(totals.estimated_total_cents, currency),
          'Before the minimum': money(totals.estimated_subtotal_cents, currency),
          Minimum: money(totals.minimum_monthly_cents, currency),
          'Price of a creator month': money(price, currency),
          'Active creators': totals.active_creator_count,
          'Creator months': totals.creator_months,
          'Measured through': <DateTime at={Date.parse(usage.measured_through)} />,
          ...(usage.as_of_event_id !== null && { 'Counted up to event': <Id value={usage.as_of_event_id} /> }),
        }}
      />
      {usage.is_behind && <Text size="sm">Later events are still being counted; the page follows.</Text>}
    </Panel>
  );
}

function Days({ days }: { readonly days: readonly UsageDay[] }) {
  return (
    <Panel title="By day">
      <Suspense fallback={<Skeleton height={200} />}>
        <DayChart
          days={days.map(({ date, active_creators }) => ({ day: date, count: active_creators }))}
          name="Creators"
        />
      </Suspense>
      <Text size="sm">
        Shares are exact; the total is rounded once, so rounded shares may not add up to it. A day is one in UTC.
      </Text>
      <details open>
        <summary>The same as a table</summary>
        <DataTable label="Usage by day" columns={COLUMNS} rows={days} idOf={({ date }) => date} />
      </details>
    </Panel>
  );
}
