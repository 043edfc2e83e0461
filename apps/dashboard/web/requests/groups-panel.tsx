import { Anchor, Code } from '@mantine/core';
import { useMemo } from 'react';
import type { RefusedGroupAnswer } from '../api/types.gen.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Panel } from '../components/panel.js';

export interface GroupsPanelProps {
  readonly groups: readonly RefusedGroupAnswer[];
  readonly onChoose: (group: RefusedGroupAnswer) => void;
}

const { display } = columnsOf<RefusedGroupAnswer>();

/** What went wrong, the most frequent first, and what to do about it. */
export function GroupsPanel({ groups, onChoose }: GroupsPanelProps) {
  const columns = useMemo(
    () => [
      display({
        id: 'Code',
        header: 'Code',
        cell: ({ row }) => (
          <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onChoose(row.original)}>
            {row.original.code ?? 'none'}
          </Anchor>
        ),
      }),
      display({ id: 'Route', header: 'Route', cell: ({ row }) => <Code>{row.original.route}</Code> }),
      display({ id: 'Requests', header: 'Requests', cell: ({ row }) => row.original.count.toLocaleString('en') }),
      display({ id: 'Latest', header: 'Latest', cell: ({ row }) => <DateTime at={row.original.last_at} /> }),
      display({ id: 'What to do', header: 'What to do', cell: ({ row }) => row.original.remedy }),
    ],
    [onChoose],
  );
  if (groups.length === 0) return null;
  return (
    <Panel title="Refused by code and route">
      <DataTable label="Refused requests by code" columns={columns} rows={groups} idOf={groupId} />
    </Panel>
  );
}

const groupId = ({ code, route }: RefusedGroupAnswer): string => `${code} ${route}`;
