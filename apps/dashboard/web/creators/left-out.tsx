import { useQuery } from '@tanstack/react-query';
import type { LeftOutRecordAnswer } from '../api/types.gen.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Id } from '../components/id.js';
import { Name } from '../components/name.js';
import { Panel } from '../components/panel.js';
import { leftOutQuery } from './queries.js';

const { display } = columnsOf<LeftOutRecordAnswer>();
const CREATOR = display({
  id: 'Creator',
  header: 'Creator',
  cell: ({ row: { original } }) => (original.creator_id === null ? 'None' : <Id value={original.creator_id} />),
});
const COLUMNS = [
  display({ id: 'Record', header: 'Record', cell: ({ row }) => row.original.kind }),
  display({
    id: 'Id',
    header: 'Id',
    cell: ({ row: { original } }) => (original.id === null ? 'None' : <Id value={original.id} />),
  }),
  display({ id: 'To mend', header: 'To mend', cell: ({ row }) => <Name>{row.original.remedy}</Name> }),
  display({ id: 'Since', header: 'Since', cell: ({ row }) => <DateTime at={row.original.since} /> }),
];

/** Records of the platform that break a bound, of one creator or of all; nothing where there are none. */
export function LeftOut({ creator }: { readonly creator?: string }) {
  const { data: answer, error } = useQuery(leftOutQuery(creator));
  if (answer === undefined) return <ErrorAlert error={error} title="What was left out could not be loaded" />;
  if (answer.count === 0) return null;
  const shown = answer.data.length < answer.count ? `, ${answer.data.length} of ${answer.count}` : '';
  return (
    <Panel title={`Left out${shown}`}>
      <DataTable
        label="Left out"
        columns={creator === undefined ? [CREATOR, ...COLUMNS] : COLUMNS}
        rows={answer.data}
        idOf={({ kind, id, creator_id: of, reason, since }) => `${kind} ${of} ${id} ${reason} ${since}`}
      />
    </Panel>
  );
}
