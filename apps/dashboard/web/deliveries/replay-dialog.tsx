import { Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../components/form-dialog.js';
import { OperatorsLine } from '../components/operators-line.js';
import { useChange } from '../components/use-change.js';
import {
  countQuery,
  countText,
  type MatchSearch,
  replaysQuery,
  replayWords,
  requestReplays,
} from './replay-queries.js';

export interface ReplayDialogProps {
  readonly endpoints: readonly string[];
  readonly search: MatchSearch;
  readonly onRequested: () => void;
  readonly onClose: () => void;
}

/** Counts by endpoint, because deliveries to a disabled one are not replayed. */
export function ReplayDialog({ endpoints, search, onRequested, onClose }: ReplayDialogProps) {
  const client = useQueryClient();
  const counted = useQueries({ queries: endpoints.map((endpoint) => countQuery({ ...search, endpoint })) });
  const counts = counted.flatMap(({ data }) => data ?? []);
  const isCounted = counts.length === endpoints.length;
  const request = useChange(requestReplays);
  const replay = () =>
    request.mutate(
      { endpoints, search },
      {
        onSuccess: (data) => {
          client.setQueryData(replaysQuery.queryKey, { data: [...data] });
          onRequested();
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Replay deliveries"
      action="Replay"
      onClose={onClose}
      onSubmit={replay}
      change={{
        isPending: request.isPending || counted.some(({ isPending }) => isPending),
        error: request.error ?? counted.find(({ error }) => error)?.error ?? null,
      }}
      isFinal
    >
      <Text>{isCounted ? `${countText(counts)} deliveries` : 'Counting the deliveries that match'}</Text>
      <Text size="sm">
        They are sent again with their event ids, a few at a time, so that new events go first. Pending ones are left as
        they are.
      </Text>
      {endpoints.map((endpoint) => (
        <OperatorsLine key={endpoint} words={`webhooks replay-all ${endpoint}${replayWords(search)}`} />
      ))}
    </FormDialog>
  );
}
