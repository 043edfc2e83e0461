import { useQuery } from '@tanstack/react-query';
import type { LeftOutRecordAnswer } from '../../answers/overview.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { words } from '../components/formats.js';
import { Id, Name } from '../components/id.js';
import { Panel } from '../components/page-title.js';
import { leftOutQuery } from './queries.js';

const CREATOR = columnsOf<LeftOutRecordAnswer>({
  Creator: (row) => (row.creator_id === null ? 'None' : <Id value={row.creator_id} />),
});
const COLUMNS = columnsOf<LeftOutRecordAnswer>({
  Record: { width: 8, line: 1, show: (row) => words(row.kind) },
  Id: (row) => (row.id === null ? 'None' : <Id value={row.id} />),
  'To mend': { wraps: true, line: 3, show: (row) => <Name>{row.remedy}</Name> },
  Since: { width: 7, show: (row) => <DateTime at={row.since} /> },
});

/** Records of the platform that break a bound, of one creator or of all. */
export function LeftOut({ creator }: { readonly creator?: string }) {
  const { data: answer, error } = useQuery(leftOutQuery(creator));
  if (answer === undefined) return <ErrorAlert error={error} title="What was left out could not be loaded" />;
  if (answer.count === 0) return null;
  const shown = answer.data.length < answer.count ? `, ${answer.data.length} of ${answer.count}` : '';
  return (
    <Panel title={`Left out${shown}`}>
      <DataTable
        label="Left out"
        columns={creator === undefined ? [...CREATOR, ...COLUMNS] : COLUMNS}
        rows={answer.data}
        most={10}
        idOf={({ kind, id, creator_id: of, reason, since }) => `${kind} ${of} ${id} ${reason} ${since}`}
      />
    </Panel>
  );
}
