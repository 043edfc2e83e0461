import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../components/confirm-dialog.js';
import { useChange } from '../components/use-change.js';
import { countQuery, type MatchSearch, requestReplays } from './replay-queries.js';

export interface ReplayDialogProps {
  readonly endpoints: readonly string[];
  readonly search: MatchSearch;
  readonly onClose: () => void;
}

export function ReplayDialog({ endpoints, search, onClose }: ReplayDialogProps) {
  const counted = useQuery(countQuery(search));
  const request = useChange(requestReplays);
  const count = counted.data && `${counted.data.count.toLocaleString('en')}${counted.data.is_more ? '+' : ''}`;
  return (
    <ConfirmDialog
      title="Replay deliveries"
      action="Replay"
      onClose={onClose}
      onConfirm={() => request.mutate({ endpoints, search }, { onSuccess: onClose })}
      isPending={request.isPending || counted.isPending}
      error={request.error ?? counted.error}
    >
      <Text>{count === undefined ? 'Counting the deliveries that match' : `${count} deliveries`}</Text>
      <Text size="sm">
        They are sent again with their event ids, a few at a time, so that new events go first. Pending ones are left as
        they are.
      </Text>
    </ConfirmDialog>
  );
}
