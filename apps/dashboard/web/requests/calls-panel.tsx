import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { CallsAnswer, CallsAtAnswer } from '../../src/requests/answers.js';
import { Choice } from '../components/choice.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Id } from '../components/id.js';
import { Loaded } from '../components/loaded.js';
import { Panel } from '../components/panel.js';
import { callsQuery, STEP_MS, STEP_NAMES, STEPS_SHOWN } from './queries.js';

const DayChart = lazy(async () => ({ default: (await import('../charts/day-chart.js')).DayChart }));

const TIME_COLUMNS = columnsOf<CallsAtAnswer>({
  Time: (row) => <DateTime at={row.at} />,
  Calls: (row) => row.calls.toLocaleString('en'),
});
const KEY_COLUMNS = columnsOf<CallsAnswer['keys'][number]>({
  Key: (row) => <Id value={row.key_id} />,
  Calls: (row) => row.calls.toLocaleString('en'),
});

export interface CallsPanelProps {
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
        {({ by: step, data, keys: byKey }) => (
          <>
            <Text size="sm" my="sm">
              {data.reduce((sum, { calls: count }) => sum + count, 0).toLocaleString('en')} calls with a valid key,
              {keyId === undefined ? ' of all keys.' : ' of the chosen key.'}
            </Text>
            {data.length === 0 && keyId === undefined && <Empty>Send a request with a key; it is counted here.</Empty>}
            {data.length > 0 && (
              <>
                <Suspense fallback={<Skeleton height={200} />}>
                  <DayChart days={filled(data, step)} name="Calls" />
                </Suspense>
                <Text size="sm">Times in the chart are in UTC.</Text>
                <DataTable label="Calls by key" columns={KEY_COLUMNS} rows={byKey} idOf={({ key_id: id }) => id} />
                <details>
                  <summary>The same by time, as a table</summary>
                  <DataTable
                    label="Calls by time"
                    columns={TIME_COLUMNS}
                    rows={data.toReversed()}
                    idOf={({ at }) => `${at}`}
                  />
                </details>
              </>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** With the times without calls, up to the latest one. */
const filled = (data: readonly CallsAtAnswer[], by: CallsAnswer['by']) => {
  const counts = new Map(data.map(({ at, calls }) => [at, calls]));
  const last = data.at(-1)?.at ?? 0;
  const shown = STEPS_SHOWN[by];
  return Array.from({ length: shown }, (_, index) => {
    const at = last - (shown - 1 - index) * STEP_MS[by];
    return { day: new Date(at).toISOString().slice(5, 16).replace('T', ' '), count: counts.get(at) ?? 0 };
  });
};
