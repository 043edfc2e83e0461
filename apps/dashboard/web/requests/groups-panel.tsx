import { Anchor, Code } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { RefusedGroupAnswer } from '../../src/requests/answers.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Panel } from '../components/panel.js';

const route = getRouteApi('/requests');

const COLUMNS = columnsOf<RefusedGroupAnswer>({
  Code: (row) => <ChooseGroup code={row.code} route={row.route} />,
  Route: (row) => <Code>{row.route}</Code>,
  Requests: (row) => row.count.toLocaleString('en'),
  Latest: (row) => <DateTime at={row.last_at} />,
  'What to do': (row) => row.remedy,
});

/** Filters the list of requests. It is far down: what is in sight stays in sight. */
function ChooseGroup({ code, route: ofRoute }: Pick<RefusedGroupAnswer, 'code' | 'route'>) {
  const { by } = route.useSearch();
  const navigate = route.useNavigate();
  const search = { by, route: ofRoute, ...(code !== null && { code }) };
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      onClick={() => void navigate({ search, resetScroll: false })}
    >
      {code ?? 'none'}
    </Anchor>
  );
}

/** What went wrong, the most frequent first, and what to do about it. */
export function GroupsPanel({ groups }: { readonly groups: readonly RefusedGroupAnswer[] }) {
  if (groups.length === 0) return null;
  return (
    <Panel title="Refused by code and route">
      <DataTable
        label="Refused requests by code"
        columns={COLUMNS}
        rows={groups}
        idOf={({ code, route }) => `${code} ${route}`}
      />
    </Panel>
  );
}
