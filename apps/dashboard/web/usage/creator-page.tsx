import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { UsageIntervalAnswer } from '../../answers/usage.js';
import { columnsOf, DataTable, Empty, figure } from '../components/data-table.js';
import { Loaded } from '../components/error-alert.js';
import { duration } from '../components/formats.js';
import { LinkTo } from '../components/id.js';
import { IntervalEnd } from '../components/interval-end.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { intervalsQuery } from './queries.js';
import { Share } from './share.js';

const route = getRouteApi('/usage/$id');

const columnsIn = (currency: string) =>
  columnsOf<UsageIntervalAnswer>({
    Begins: {
      wraps: true,
      show: (row) => <IntervalEnd event={row.opened_by} counted={{ word: 'from', at: row.from }} />,
    },
    Ends: { wraps: true, show: (row) => <IntervalEnd event={row.closed_by} counted={{ word: 'until', at: row.to }} /> },
    'In this month': figure((row) => duration(row.active), 9),
    Share: figure((row) => <Share cents={row.share_cents} currency={currency} />, 8),
  });

export function UsageOfCreatorPage() {
  const { id } = route.useParams();
  const { month } = route.useSearch();
  const intervals = useQuery(intervalsQuery(id, month));
  const { currency = '' } = intervals.data ?? {};
  return (
    <>
      <PageTitle
        name={intervals.data?.display_name ?? 'Creator'}
        id={id}
        help="Each interval of active time in the month, and the two events that made it. Times are in UTC."
      />
      <Stack>
        <LinkTo to="/creators/$id" params={{ id }}>
          The creator
        </LinkTo>
        <Loaded query={intervals}>
          {({ data }) => (
            <DataTable
              label="Intervals"
              columns={columnsIn(currency)}
              rows={data}
              empty={<Empty>The creator's protection was not active in this month.</Empty>}
            />
          )}
        </Loaded>
        {month !== undefined && <OperatorsLine words={`usage explain --month ${month} --creator ${id}`} ofAgency />}
      </Stack>
    </>
  );
}
