import { Button, Group, Progress, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.js';
import { ErrorAlert } from '../components/error-alert.js';
import { useChange } from '../components/use-change.js';
import type { Filters } from './filters.js';
import { endpointChoiceQuery } from './queries.js';
import { countQuery, endReplay, type Replay, replayQuery, requestReplays } from './replay-queries.js';

/** Sends again all that matches the filters, to the chosen endpoint or to each, and shows how far that is. */
export function ReplayAll({ filters }: { readonly filters: Filters }) {
  const [isAsking, setAsking] = useState(false);
  const choices = useQuery(endpointChoiceQuery);
  const active = (choices.data?.data ?? []).filter(({ status }) => status === 'active').map(({ id }) => id);
  const endpoints = filters.endpoint === undefined ? active : active.filter((id) => id === filters.endpoint);
  const replays = useQueries({ queries: endpoints.map(replayQuery) });
  const running = replays.flatMap(({ data }) => (data?.status === 'running' ? [data] : []));
  if (endpoints.length === 0) return null;
  return (
    <>
      {running.length === 0 && (
        <Group mb="sm">
          <Button variant="default" onClick={() => setAsking(true)}>
            Replay all matching
          </Button>
        </Group>
      )}
      {running.map((replay) => (
        <RunningReplay key={replay.endpoint_id} replay={replay} />
      ))}
      {isAsking && <ReplayDialog endpoints={endpoints} filters={filters} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ReplayDialogProps {
  readonly endpoints: readonly string[];
  readonly filters: Filters;
  readonly onClose: () => void;
}

function ReplayDialog({ endpoints, filters, onClose }: ReplayDialogProps) {
  const counted = useQuery(countQuery(filters));
  const request = useChange(requestReplays);
  const count = counted.data && `${counted.data.count.toLocaleString('en')}${counted.data.is_more ? '+' : ''}`;
  return (
    <ConfirmDialog
      title="Replay deliveries"
      action="Replay"
      onClose={onClose}
      onConfirm={() => request.mutate({ endpoints, filters }, { onSuccess: onClose })}
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

function RunningReplay({ replay }: { readonly replay: Replay }) {
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
