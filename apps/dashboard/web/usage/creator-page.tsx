import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UsageIntervalAnswer } from '../../src/usage/answers.js';
import { duration, share } from '../components/amounts.js';
import { Copy } from '../components/copy.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { IntervalEnd } from '../components/interval-end.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { intervalsQuery } from './queries.js';

export const usageOfCreatorPage = createLazyRoute('/usage/$id')({ component: UsageOfCreatorPage });
const route = getRouteApi('/usage/$id');

const columnsOfCreator = (creator: string) =>
  columnsOf<UsageIntervalAnswer>({
    Begins: (row) => <IntervalEnd creator={creator} event={row.opened_by} counted={{ word: 'from', at: row.from }} />,
    Ends: (row) => <IntervalEnd creator={creator} event={row.closed_by} counted={{ word: 'until', at: row.to }} />,
    'In this month': (row) => duration(row.active),
    'Exact share': (row) => share(row.share_cents),
  });

function UsageOfCreatorPage() {
  const { id } = route.useParams();
  const { month } = route.useSearch();
  const intervals = useQuery(intervalsQuery(id, month));
  const columns = useMemo(() => columnsOfCreator(id), [id]);
  return (
    <>
      <PageTitle name={id} help="Each interval of active time in the month, and the two events that made it.">
        <Copy value={id} />
      </PageTitle>
      <Stack>
        <LinkTo to="/creators/$id" params={{ id }}>
          The creator
        </LinkTo>
        <Loaded query={intervals}>
          {({ data }) => (
            <DataTable
              label="Intervals"
              columns={columns}
              rows={data}
              idOf={({ opened_by: by }) => by.event_id}
              empty={<Empty>The creator's protection was not active in this month.</Empty>}
            />
          )}
        </Loaded>
        {month !== undefined && <OperatorsLine words={`usage explain --month ${month} --creator ${id}`} ofAgency />}
      </Stack>
    </>
  );
}
