import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { CreatorsAnswer, ListedCreator } from '../../answers/creators.js';
import { columnsOf, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Notice } from '../components/error-alert.js';
import { choiceFilter, textFilter } from '../components/filters.js';
import { number, words } from '../components/formats.js';
import { Cut, Thing } from '../components/id.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { Status } from '../components/status.js';
import { LeftOut } from './left-out.js';
import { creatorsQuery, TONES } from './queries.js';

const route = getRouteApi('/creators');

const COLUMNS = columnsOf<ListedCreator>({
  Name: { line: 1, show: (row) => <Thing id={row.id} name={row.display_name} /> },
  'External ID': (row) => <Cut>{row.external_id}</Cut>,
  Enrollment: { width: 10, show: (row) => words(row.enrollment_status) },
  Protection: {
    width: 9,
    line: 1,
    show: ({ protection_status: status }) => <Status tone={TONES[status] ?? 'off'}>{words(status)}</Status>,
  },
  Eligible: { width: 6, line: 3, show: (row) => (row.eligible ? 'Yes' : 'No') },
  'Open cases': figure(({ open_cases: count }) => (count < 500 ? number(count) : '500+'), 7),
  'Last scan': { width: 7, line: 3, show: (row) => <DateTime at={row.last_scan_at} /> },
});

const filtersFor = (answer?: CreatorsAnswer) => ({
  text: textFilter('Name, external ID or profile', { placeholder: 'mia' }),
  enrollment_status: choiceFilter('Enrollment', answer?.enrollment_statuses ?? [], words),
  protection_status: choiceFilter('Protection', answer?.protection_statuses ?? [], words),
});

export function CreatorsPage() {
  const creators = useQuery(creatorsQuery(route.useSearch()));
  return (
    <>
      <PageTitle name="Creators" help="Your roster and the people you have invited, as they were last recorded." />
      <LeftOut />
      {creators.data?.is_cut_off && (
        <Notice title="Not all matches are listed">Very many creators match. Type more of the name.</Notice>
      )}
      <PagedTable
        query={creators}
        label="Creators"
        columns={COLUMNS}
        filters={filtersFor(creators.data)}
        nothing="Enroll a creator with the API; it appears here."
      />
    </>
  );
}
