import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CallsAnswer, CallsAtAnswer } from '../../answers/requests.js';
import { serverQuery } from '../api/server-query.js';
import { ChartedTable } from '../components/charted-table.js';
import { Choice } from '../components/choice.js';
import { columnsOf, DataTable, Empty, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { counted, number } from '../components/formats.js';
import { Thing } from '../components/id.js';
import { Panel } from '../components/page-title.js';

const callsQuery = (by: CallsAnswer['by'], key: string | undefined) =>
  serverQuery<CallsAnswer>('requests', '/api/requests/calls', { by, key });

const STEP_NAMES = { hour: '30 days by hour', minute: '24 hours by minute' } as const;

const TIME_COLUMNS = columnsOf<CallsAtAnswer>({
  Time: (row) => <DateTime at={row.at} />,
  Calls: figure((row) => number(row.calls)),
});
const KEY_COLUMNS = columnsOf<CallsAnswer['keys'][number]>({
  Key: (row) => <Thing id={row.key_id} name={row.key_name} />,
  Calls: figure((row) => number(row.calls)),
});

interface CallsPanelProps {
  readonly by: CallsAnswer['by'];
  readonly keyId: string | undefined;
  readonly onChange: (by: CallsAnswer['by']) => void;
}

export function CallsPanel({ by, keyId, onChange }: CallsPanelProps) {
  const calls = useQuery(callsQuery(by, keyId));
  return (
    <Panel title="Calls">
      <Choice label="Time" names={STEP_NAMES} value={by} onChange={onChange} />
      <Loaded query={calls}>
        {({ data, keys: byKey }) => {
          const sum = data.reduce((total, { calls: count }) => total + count, 0);
          return (
            <>
              <Text size="sm" my="sm">
                {counted(sum, 'call')} with a valid key,
                {keyId === undefined ? ' of all keys.' : ' of the chosen key.'}
              </Text>
              {sum === 0 && keyId === undefined && <Empty>Send a request with a key; it is counted here.</Empty>}
              {sum > 0 && (
                <>
                  <DataTable label="Calls by key" columns={KEY_COLUMNS} rows={byKey} most={10} />
                  <Text size="sm">Times in the chart are in UTC.</Text>
                  <ChartedTable
                    bars={data.map(({ at, calls: count }) => ({ day: shortTime(at), Calls: count }))}
                    label="Calls by time"
                    columns={TIME_COLUMNS}
                    rows={data.filter(({ calls: count }) => count > 0).toReversed()}
                    most={24}
                  />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const shortTime = (at: number): string => new Date(at).toISOString().slice(5, 16).replace('T', ' ');
