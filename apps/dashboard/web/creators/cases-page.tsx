import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { DashboardCase } from '../../answers/creators.js';
import { columnsOf, Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { FilterChoice, FilterGrid, FilterText, filterOf, filtersIn, hasFilters } from '../components/filters.js';
import { words } from '../components/formats.js';
import { Cut, LinkTo } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { CasesFile } from './cases-file.js';
import { type CaseFilters, casesQuery, creatorQuery } from './queries.js';

export const casesPage = createLazyRoute('/creators/$id/cases')({ component: CasesPage });
const route = getRouteApi('/creators/$id/cases');

const SOURCES = [
  { value: 'api_scan', label: 'API scan' },
  { value: 'svc', label: 'Platform' },
];

/** Leads to its history on the page of the creator. */
function RecordLink({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <LinkTo to="/creators/$id" params={{ id: route.useParams().id }} search={{ record: id }} aria-label={children}>
      <Cut>{children}</Cut>
    </LinkTo>
  );
}

const COLUMNS = columnsOf<DashboardCase>({
  URL: { line: 1, show: (row) => <RecordLink id={row.id}>{row.url}</RecordLink> },
  Site: { width: 12, show: (row) => <Cut>{row.site}</Cut> },
  Status: { width: 9, show: (row) => words(row.status) },
  Source: { width: 7, line: 3, show: (row) => SOURCES.find(({ value }) => value === row.source)?.label },
  'First seen': { width: 8, line: 1, show: (row) => <DateTime at={row.first_seen_at} /> },
  'Deindex request': {
    width: 9,
    line: 3,
    show: ({ deindex_request: request }) =>
      request === null ? '–' : <RecordLink id={request.id}>{words(request.status)}</RecordLink>,
  },
});

function CasesPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const filters = filtersIn(search);
  const navigate = route.useNavigate();
  const { data: creator } = useQuery(creatorQuery(id));
  const narrow = (changed: CaseFilters) => void navigate({ search: changed });
  const of = filterOf(filters, narrow);
  const name = creator?.display_name;
  return (
    <>
      <PageTitle name={name === undefined ? 'Cases' : `Cases of ${name}`}>
        <LinkTo to="/creators/$id" params={{ id }}>
          Back to the creator
        </LinkTo>
        <CasesFile creator={id} />
      </PageTitle>
      <FilterGrid filters={filters} onChange={narrow}>
        <FilterChoice
          label="Status"
          choices={creator?.cases.map(({ status_code: value }) => ({ value, label: words(value) })) ?? []}
          {...of('status')}
        />
        <FilterChoice label="Source" choices={SOURCES} {...of('source')} />
        <FilterText label="Site" placeholder="example.com" {...of('site')} />
      </FilterGrid>
      <PagedTable
        query={useQuery(casesQuery(id, filters, search.after))}
        label="Cases"
        columns={COLUMNS}
        idOf={(row) => row.id}
        empty={hasFilters(filters) ? <Empty isFiltered /> : <Empty>Findings of this creator are listed here.</Empty>}
        after={search.after}
      />
    </>
  );
}
