import { useQuery } from '@tanstack/react-query';
import type { LeftOutRecordAnswer } from '../../src/overview/answers.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Id } from '../components/id.js';
import { Name } from '../components/name.js';
import { Panel } from '../components/panel.js';
import { leftOutQuery } from './queries.js';

const CREATOR = columnsOf<LeftOutRecordAnswer>({
  Creator: (row) => (row.creator_id === null ? 'None' : <Id value={row.creator_id} />),
});
const COLUMNS = columnsOf<LeftOutRecordAnswer>({
  Record: (row) => row.kind,
  Id: (row) => (row.id === null ? 'None' : <Id value={row.id} />),
  'To mend': (row) => <Name>{row.remedy}</Name>,
  Since: (row) => <DateTime at={row.since} />,
});

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
        columns={creator === undefined ? [...CREATOR, ...COLUMNS] : COLUMNS}
        rows={answer.data}
        idOf={({ kind, id, creator_id: of, reason, since }) => `${kind} ${of} ${id} ${reason} ${since}`}
      />
    </Panel>
  );
}
