import { Button, Group, Progress, Text } from '@mantine/core';
import type { ReplayAnswer } from '../api/types.gen.js';
import { ErrorAlert } from '../components/error-alert.js';
import { useChange } from '../components/use-change.js';
import { endReplay } from './replay-queries.js';

export function RunningReplay({ replay }: { readonly replay: ReplayAnswer }) {
  const { endpoint_id: endpoint, replayed, total, total_is_more: isMore } = replay;
  const end = useChange(endReplay);
  return (
    <Group mb="sm" wrap="nowrap">
      <Progress.Root w="100%" size="lg">
        <Progress.Section value={total === 0 ? 100 : Math.min(100, (100 * replayed) / total)} aria-label="Replay" />
      </Progress.Root>
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {replayed.toLocaleString('en')} of {total.toLocaleString('en')}
        {isMore && '+'}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => end.mutate(endpoint)} loading={end.isPending}>
        End
      </Button>
      <ErrorAlert error={end.error} />
    </Group>
  );
}
