import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DashboardCase } from '../../answers/creators.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { choiceFilter, textFilter } from '../components/filters.js';
import { words } from '../components/formats.js';
import { Cut, Download, LinkTo } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { casesQuery, creatorQuery } from './queries.js';

const route = getRouteApi('/creators/$id/cases');

const SOURCES: Readonly<Record<string, string>> = { api_scan: 'API scan', svc: 'Platform' };

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
  Source: { width: 7, line: 3, show: (row) => SOURCES[row.source] },
  'First seen': { width: 8, line: 1, show: (row) => <DateTime at={row.first_seen_at} /> },
  'Deindex request': {
    width: 9,
    line: 3,
    show: ({ deindex_request: request }) =>
      request === null ? '–' : <RecordLink id={request.id}>{words(request.status)}</RecordLink>,
  },
});

const filtersFor = (statuses: readonly string[]) => ({
  status: choiceFilter('Status', statuses, words),
  source: choiceFilter('Source', Object.keys(SOURCES), (source) => SOURCES[source]),
  site: textFilter('Site', { placeholder: 'example.com' }),
});

export function CasesPage() {
  const { id } = route.useParams();
  const cases = useQuery(casesQuery(id, route.useSearch()));
  const { data: creator } = useQuery(creatorQuery(id));
  return (
    <>
      <PageTitle name={creator === undefined ? 'Cases' : `Cases of ${creator.display_name}`}>
        <LinkTo to="/creators/$id" params={{ id }}>
          Back to the creator
        </LinkTo>
        <Download path={`/api/creators/${id}/cases/file`}>Download all cases as CSV</Download>
      </PageTitle>
      <PagedTable
        query={cases}
        label="Cases"
        columns={COLUMNS}
        filters={filtersFor(creator?.cases.map(({ status_code: status }) => status) ?? [])}
        nothing="Findings of this creator are listed here."
      />
    </>
  );
}
