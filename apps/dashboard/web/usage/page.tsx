import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { UsageDay, UsageMonthAnswer, UsageOfCreator, UsageStatementAnswer } from '../../answers/usage.js';
import { useChange } from '../api/server-query.js';
import { ChartedTable } from '../components/charted-table.js';
import { columnsOf, Empty, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert, Loaded, Notice } from '../components/error-alert.js';
import { FilterChoice, type Filters } from '../components/filters.js';
import { counted, duration, latestMonths, money, monthName, number, utcTime } from '../components/formats.js';
import { Cut, Download, Id, LinkTo } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, Figure, Figures, PageTitle, Panel } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { ProgressBar } from '../components/progress-bar.js';
import { requestStatement, statementsQuery, usageOfCreatorsQuery, usageQuery } from './queries.js';
import { Share } from './share.js';

function Statement({ month }: { readonly month: string }) {
  const statements = useQuery(statementsQuery);
  const request = useChange(requestStatement);
  return (
    <Panel title="Signed statement">
      <Text size="sm" mb="sm">
        A file that an auditor can check. It reads the whole history, so it is made in the background and kept for 24
        hours.
      </Text>
      <ErrorAlert error={request.error} title="The statement was not requested" />
      <Loaded query={statements}>
        {({ data }) => {
          const own = data.find((statement) => statement.month === month);
          return (
            <>
              {own !== undefined && <StatementState {...own} />}
              {own?.state !== 'pending' && (
                <Button variant="default" onClick={() => request.mutate(month)} loading={request.isPending}>
                  Make the statement
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      <OperatorsLine words={`usage statement --month ${month} --out usage-statement-${month}.json`} ofAgency />
    </Panel>
  );
}

function StatementState({ month, state, share, size, expires_at }: UsageStatementAnswer) {
  return (
    <Box mb="sm">
      {state === 'pending' && <ProgressBar name="Statement" percent={share * 100} />}
      {state === 'failed' && <Text>It could not be made. Try again, or ask the operator.</Text>}
      {size > 0 && (
        <Text size="sm">
          <Download path={`/api/usage/statements/${month}/file`}>Download the statement of {monthName(month)}</Download>{' '}
          ({Math.ceil(size / 1_024).toLocaleString('en')} KiB), until <DateTime at={expires_at} />
        </Text>
      )}
    </Box>
  );
}

const columnsIn = (month: string, currency: string) =>
  columnsOf<UsageOfCreator>({
    Creator: {
      line: 1,
      show: (row) => (
        <LinkTo to="/usage/$id" params={{ id: row.creator_id }} search={{ month }}>
          <Cut>{row.display_name ?? row.creator_id}</Cut>
        </LinkTo>
      ),
    },
    'External ID': { show: (row) => row.external_id !== null && <Cut>{row.external_id}</Cut> },
    Intervals: figure((row) => row.intervals, 6),
    'Active time': figure((row) => duration(row.active), 9),
    'Creator months': figure((row) => row.creator_months, 9),
    Share: figure((row) => <Share cents={row.share_cents} currency={currency} />, 8),
  });

function CreatorsOfMonth({ month, totals, after }: Pick<UsageMonthAnswer, 'month' | 'totals'> & Filters<'after'>) {
  const creators = useQuery(usageOfCreatorsQuery(month, after));
  const isMinimum = totals.estimated_total_cents !== totals.estimated_subtotal_cents;
  return (
    <Panel title="By creator">
      <PagedTable
        query={creators}
        label="Usage by creator"
        columns={columnsIn(month, totals.currency)}
        idOf={({ creator_id: id }) => id}
        nothing="Creators whose protection was active in the month appear here."
        total={{
          Creator: `All ${counted(totals.active_creator_count, 'creator')}${isMinimum ? ', at least the minimum' : ''}`,
          'Active time': duration(totals.creator_seconds * 1_000),
          'Creator months': totals.creator_months,
          Share: money(totals.estimated_total_cents, totals.currency),
        }}
      />
      <Download path="/api/usage/file" parameters={{ month }}>
        Download all intervals as CSV
      </Download>
    </Panel>
  );
}

const route = getRouteApi('/usage');

const dayColumns = (currency: string) =>
  columnsOf<UsageDay>({
    'Day (UTC)': { line: 1, show: (row) => row.date },
    'Active creators': figure((row) => row.active_creators),
    'Active time': figure((row) => duration(row.active)),
    Share: figure((row) => <Share cents={row.share_cents} currency={currency} />),
  });

export function UsagePage() {
  const { month, after } = route.useSearch();
  const navigate = route.useNavigate();
  const usage = useQuery(usageQuery(month));
  return (
    <>
      <PageTitle
        name="Usage"
        help="An estimate, not an invoice: active time in UTC months and days. Shares are rounded, and exact in their tips; the total is rounded once."
      >
        <FilterChoice
          aria-label="Month (UTC)"
          none="This month"
          value={month}
          onChange={(value) => void navigate({ search: { month: value } })}
          choices={latestMonths(new Date())}
          nameOf={monthName}
        />
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </PageTitle>
      <Loaded query={usage}>
        {(shown) =>
          !shown.is_bound ? (
            <Empty>Usage is counted from the first binding of the agency on.</Empty>
          ) : (
            <Stack>
              <Totals usage={shown} />
              <CreatorsOfMonth month={shown.month} totals={shown.totals} after={after} />
              {shown.is_too_large ? (
                <Notice title="No shares by day">
                  The month has more than 50,000 intervals, too many to add up by day for a page. By creator, in the
                  file and in the signed statement nothing is left out.
                </Notice>
              ) : (
                <Days days={shown.days} currency={shown.totals.currency} />
              )}
              <Stack data-no-print>
                <Statement month={shown.month} />
                <OperatorsLine words={`usage explain --month ${shown.month}`} ofAgency />
              </Stack>
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
    <Panel title={usage.measured_through.startsWith(month) ? `${monthName(month)}, so far` : monthName(month)}>
      <Figures>
        <Figure name="Estimated total">{money(totals.estimated_total_cents, currency)}</Figure>
        <Figure name="Active creators">{number(totals.active_creator_count)}</Figure>
        <Figure name="Creator months">{number(totals.creator_months)}</Figure>
      </Figures>
      <Facts
        facts={{
          'Before the minimum': money(totals.estimated_subtotal_cents, currency),
          Minimum: money(totals.minimum_monthly_cents, currency),
          'Price of a creator month': money(price, currency),
          'Measured through': utcTime(Date.parse(usage.measured_through)),
          ...(usage.as_of_event_id !== null && { 'Counted up to event': <Id value={usage.as_of_event_id} /> }),
        }}
      />
      {usage.is_behind && <Text size="sm">Later events are still being counted; the page follows.</Text>}
    </Panel>
  );
}

function Days({ days, currency }: { readonly days: readonly UsageDay[]; readonly currency: string }) {
  return (
    <Panel title="By day">
      <ChartedTable
        bars={days.map(({ date, active_creators }) => ({ day: date, Creators: active_creators }))}
        label="Usage by day"
        columns={dayColumns(currency)}
        rows={days}
      />
    </Panel>
  );
}
