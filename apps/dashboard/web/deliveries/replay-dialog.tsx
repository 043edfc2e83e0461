import { Button, Group, List, Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { ReplayAnswer } from '../../answers/deliveries.js';
import { useChange } from '../api/server-query.js';
import { DateTime } from '../components/date-time.js';
import { ErrorAlert } from '../components/error-alert.js';
import { FormDialog } from '../components/form-dialog.js';
import { number } from '../components/formats.js';
import { Cut, EndpointLink } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { ProgressBar } from '../components/progress-bar.js';
import {
  countQuery,
  countText,
  deliveredText,
  endReplay,
  type MatchSearch,
  replaysQuery,
  replayWords,
  requestReplays,
} from './replay-queries.js';

const ENDS: Readonly<Record<string, string>> = {
  completed: 'completed',
  ended_by_person: 'ended',
  endpoint_disabled: 'ended, as the endpoint is disabled',
  access_revoked: 'ended, as the endpoint belongs to an earlier binding',
};

export function ReplayProgress({ replay, url }: { readonly replay: ReplayAnswer; readonly url: string | null }) {
  const { endpoint_id: endpoint, status, reason, replayed, total, total_is_more: isMore } = replay;
  const end = useChange(endReplay);
  const isComplete = reason === 'completed' || total === 0;
  return (
    <Group mb="sm" gap="xs">
      <Text size="sm" component="div">
        Replay to <EndpointLink id={endpoint} url={url} />: {number(replayed)} of {number(total)}
        {isMore && '+'}
        {reason !== null && `, ${ENDS[reason]} `}
        {replay.ended_at !== null && <DateTime at={replay.ended_at} />}
      </Text>
      <ProgressBar name="Replay" percent={isComplete ? 100 : Math.min(100, (100 * replayed) / total)} />
      {status === 'running' && (
        <Button size="compact-sm" variant="default" onClick={() => end.mutate(endpoint)} loading={end.isPending}>
          End
        </Button>
      )}
      <ErrorAlert error={end.error} />
    </Group>
  );
}

export interface ReplayDialogProps {
  readonly endpoints: ReadonlyMap<string, string>;
  readonly search: MatchSearch;
  readonly onClose: () => void;
}

/** Counts by endpoint, because deliveries to a disabled one are not replayed. */
export function ReplayDialog({ endpoints: names, search, onClose }: ReplayDialogProps) {
  const endpoints = [...names.keys()];
  const client = useQueryClient();
  const counted = useQueries({ queries: endpoints.map((endpoint) => countQuery({ ...search, endpoint })) });
  const counts = counted.flatMap(({ data }) => data ?? []);
  const isCounted = counts.length === endpoints.length;
  return (
    <FormDialog
      title="Replay deliveries"
      action="Replay"
      send={() => requestReplays(endpoints, search)}
      said="The replay has begun"
      onSuccess={(data) => client.setQueryData(replaysQuery.queryKey, { data: [...data] })}
      onClose={onClose}
      isWaiting={counted.some(({ isPending }) => isPending)}
      isFinal
    >
      <Text>{isCounted ? countText(counts) : 'Counting the deliveries that match'}</Text>
      {isCounted && <Text>{deliveredText(counts)}</Text>}
      <ErrorAlert error={counted.find(({ error }) => error)?.error ?? null} title="They could not be counted" />
      <List size="sm" aria-label="Endpoints">
        {[...names].map(([id, name]) => (
          <List.Item key={id}>
            <Cut>{name}</Cut>
          </List.Item>
        ))}
      </List>
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
