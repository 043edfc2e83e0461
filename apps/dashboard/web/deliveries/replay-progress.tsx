import { Button, Group, Text } from '@mantine/core';
import type { ReplayAnswer } from '../../src/replays/answers.js';
import { ErrorAlert } from '../components/error-alert.js';
import { Id } from '../components/id.js';
import { ProgressBar } from '../components/progress-bar.js';
import { useChange } from '../components/use-change.js';
import { endReplay } from './replay-queries.js';

const ENDS: Readonly<Record<string, string>> = {
  completed: 'completed',
  ended_by_person: 'ended',
  endpoint_disabled: 'ended, as the endpoint is disabled',
  access_revoked: 'ended, as the endpoint belongs to an earlier binding',
};

/** How far a replay is, or how it has ended. */
export function ReplayProgress({ replay }: { readonly replay: ReplayAnswer }) {
  const { endpoint_id: endpoint, status, reason, replayed, total, total_is_more: isMore } = replay;
  const end = useChange(endReplay);
  const isComplete = reason === 'completed' || total === 0;
  return (
    <Group mb="sm" gap="xs">
      <ProgressBar name="Replay" percent={isComplete ? 100 : Math.min(100, (100 * replayed) / total)} />
      <Text size="sm">
        {replayed.toLocaleString('en')} of {total.toLocaleString('en')}
        {isMore && '+'}
        {reason !== null && `, ${ENDS[reason]}`}
      </Text>
      <Id value={endpoint} />
      {status === 'running' && (
        <Button size="compact-sm" variant="default" onClick={() => end.mutate(endpoint)} loading={end.isPending}>
          End
        </Button>
      )}
      <ErrorAlert error={end.error} />
    </Group>
  );
}
