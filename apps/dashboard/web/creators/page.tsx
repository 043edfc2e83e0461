import { Button, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { DashboardCreator } from '../api/types.gen.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { FilterChoice } from '../components/filter-choice.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { Name } from '../components/name.js';
import { NextPage } from '../components/next-page.js';
import { PageTitle } from '../components/page-title.js';
import { LeftOut } from './left-out.js';
import { type CreatorFilters, creatorsQuery } from './queries.js';

export const creatorsPage = createLazyRoute('/creators')({ component: CreatorsPage });
const route = getRouteApi('/creators');

const choicesOf = (...statuses: readonly string[]) =>
  statuses.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
const ENROLLMENT = choicesOf(
  'linked',
  'invited',
  'pending_onboarding',
  'enrolling',
  'uncertain',
  'failed',
  'expired',
  'cancelled',
  'detached',
);
const PROTECTION = choicesOf('active', 'paused', 'not_activated');

const { display } = columnsOf<DashboardCreator>();
const COLUMNS = [
  display({
    id: 'Creator',
    header: 'Creator',
    cell: ({ row: { original } }) => (
      <Id value={original.id}>
        <LinkTo to="/creators/$id" params={{ id: original.id }} size="sm">
          <Name>{original.display_name}</Name>
        </LinkTo>
      </Id>
    ),
  }),
  display({ id: 'External id', header: 'External id', cell: ({ row }) => <Name>{row.original.external_id}</Name> }),
  display({
    id: 'Enrollment',
    header: 'Enrollment',
    cell: ({ row }) => row.original.enrollment_status.replaceAll('_', ' '),
  }),
  display({
    id: 'Protection',
    header: 'Protection',
    cell: ({ row }) => row.original.protection_status.replaceAll('_', ' '),
  }),
  display({ id: 'Eligible', header: 'Eligible', cell: ({ row }) => (row.original.eligible ? 'Yes' : 'No') }),
  display({ id: 'Created', header: 'Created', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
];

function CreatorsPage() {
  const { after, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const creators = useQuery(creatorsQuery(filters, after));
  const hasFilters = filters.enrollment_status !== undefined || filters.protection_status !== undefined;
  const filter = (name: keyof CreatorFilters) => ({
    value: filters[name],
    onChange: (value?: string) => void navigate({ search: { ...filters, [name]: value } }),
  });
  const clear = (
    <Button variant="default" onClick={() => void navigate({ search: {} })} style={{ alignSelf: 'end' }}>
      Clear filters
    </Button>
  );
  return (
    <>
      <PageTitle name="Creators" help="Your roster and the people you have invited, as they were last recorded." />
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs" mb="md" role="search" aria-label="Filters">
        <FilterChoice label="Enrollment" choices={ENROLLMENT} {...filter('enrollment_status')} />
        <FilterChoice label="Protection" choices={PROTECTION} {...filter('protection_status')} />
        {hasFilters && clear}
      </SimpleGrid>
      <LeftOut />
      <Loaded query={creators}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length === 0 && !hasFilters && <Empty>Enroll a creator with the API; it appears here.</Empty>}
            {data.length === 0 && hasFilters && <Empty isFiltered />}
            {data.length > 0 && <DataTable label="Creators" columns={COLUMNS} rows={data} idOf={({ id }) => id} />}
            <NextPage
              after={after}
              next={next}
              onGo={(cursor) => void navigate({ search: { ...filters, after: cursor } })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
