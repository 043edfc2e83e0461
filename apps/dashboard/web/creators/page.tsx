import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { DashboardCreator } from '../../src/creators/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterGrid, filterOf, hasFilters } from '../components/filter-grid.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { type Filters, filtersOf } from './filters.js';
import { LeftOut } from './left-out.js';
import { creatorsQuery } from './queries.js';

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

const COLUMNS = columnsOf<DashboardCreator>({
  Creator: (row) => (
    <Id value={row.id}>
      <LinkTo to="/creators/$id" params={{ id: row.id }} size="sm">
        <Name>{row.display_name}</Name>
      </LinkTo>
    </Id>
  ),
  'External id': (row) => (
    <Id value={row.external_id}>
      <LinkTo to="/creators/$id" params={{ id: row.id }} size="sm">
        <bdi>{row.external_id}</bdi>
      </LinkTo>
    </Id>
  ),
  Enrollment: (row) => row.enrollment_status.replaceAll('_', ' '),
  Protection: (row) => row.protection_status.replaceAll('_', ' '),
  Eligible: (row) => (row.eligible ? 'Yes' : 'No'),
  Created: (row) => <DateTime at={row.created_at} />,
});

function CreatorsPage() {
  const search = route.useSearch();
  const { after } = search;
  const filters = filtersOf(search);
  const navigate = route.useNavigate();
  const creators = useQuery(creatorsQuery(filters, after));
  const narrow = (changed: Filters) => void navigate({ search: changed });
  const of = filterOf(filters, narrow);
  return (
    <>
      <PageTitle name="Creators" help="Your roster and the people you have invited, as they were last recorded." />
      <FilterGrid filters={filters} onChange={narrow}>
        <FilterChoice label="Enrollment" choices={ENROLLMENT} {...of('enrollment_status')} />
        <FilterChoice label="Protection" choices={PROTECTION} {...of('protection_status')} />
      </FilterGrid>
      <LeftOut />
      <PagedTable
        query={creators}
        label="Creators"
        columns={COLUMNS}
        idOf={({ id }) => id}
        empty={
          hasFilters(filters) ? <Empty isFiltered /> : <Empty>Enroll a creator with the API; it appears here.</Empty>
        }
        after={after}
        onGo={(cursor) => void navigate({ search: { ...filters, after: cursor } })}
      />
    </>
  );
}
