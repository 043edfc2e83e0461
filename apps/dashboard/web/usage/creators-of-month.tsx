import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageOfCreator } from '../../src/usage/answers.js';
import { addressOf } from '../api/client.js';
import { duration, share } from '../components/amounts.js';
import { columnsOf } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';
import { PagedTable } from '../components/paged-table.js';
import { Panel } from '../components/panel.js';
import { usageOfCreatorsQuery } from './queries.js';

const columnsIn = (month: string) =>
  columnsOf<UsageOfCreator>({
    Creator: (row) => (
      <Id value={row.creator_id}>
        <LinkTo to="/usage/$id" params={{ id: row.creator_id }} search={{ month }} size="sm">
          <Name>{row.display_name ?? row.creator_id}</Name>
        </LinkTo>
      </Id>
    ),
    Intervals: (row) => row.intervals,
    'Active time': (row) => duration(row.active),
    'Creator months': (row) => row.creator_months,
    'Exact share': (row) => share(row.share_cents),
  });

export interface CreatorsOfMonthProps {
  readonly month: string;
  readonly after: string | undefined;
  readonly onGo: (after: string | undefined) => void;
}

export function CreatorsOfMonth({ month, after, onGo }: CreatorsOfMonthProps) {
  const creators = useQuery(usageOfCreatorsQuery(month, after));
  const columns = useMemo(() => columnsIn(month), [month]);
  return (
    <Panel title="By creator">
      <PagedTable
        query={creators}
        label="Usage by creator"
        columns={columns}
        idOf={({ creator_id: id }) => id}
        empty={<Empty>Creators whose protection was active in the month appear here.</Empty>}
        after={after}
        onGo={onGo}
      />
      <Group mt="sm">
        <Anchor href={addressOf('/api/usage/file', { month })} download size="sm">
          Download all intervals as CSV
        </Anchor>
      </Group>
    </Panel>
  );
}
