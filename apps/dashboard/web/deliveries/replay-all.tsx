import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ErrorAlert } from '../components/error-alert.js';
import { endpointChoiceQuery } from './queries.js';
import { type MatchSearch, replaysQuery } from './replay-queries.js';

const ReplayDialog = lazy(async () => ({ default: (await import('./replay-dialog.js')).ReplayDialog }));
const ReplayProgress = lazy(async () => ({ default: (await import('./replay-progress.js')).ReplayProgress }));

/** Sends again all that matches the filters on the tab, to the chosen endpoint or to each, and shows how far that is. */
export function ReplayAll({ search }: { readonly search: MatchSearch }) {
  const [isAsking, setAsking] = useState(false);
  /** Of what was requested here the end is shown too, which may come before its first progress. */
  const [requested, setRequested] = useState<readonly string[]>([]);
  const choices = useQuery(endpointChoiceQuery);
  const active = (choices.data?.data ?? []).filter(({ status }) => status === 'active').map(({ id }) => id);
  const endpoints = search.endpoint === undefined ? active : active.filter((id) => id === search.endpoint);
  const replays = useQuery(replaysQuery);
  const known = (replays.data?.data ?? []).filter(({ endpoint_id: id }) => endpoints.includes(id));
  const isRunning = known.some(({ status }) => status === 'running');
  const shown = known.filter((replay) => replay.status === 'running' || requested.includes(replay.endpoint_id));
  if (endpoints.length === 0) return null;
  return (
    <>
      <ErrorAlert error={replays.error} title="The replays could not be loaded" />
      {!isRunning && (
        <Group mb="sm">
          <Button variant="default" onClick={() => setAsking(true)}>
            Replay all matching
          </Button>
        </Group>
      )}
      <Suspense>
        {shown.map((replay) => (
          <ReplayProgress key={replay.endpoint_id} replay={replay} />
        ))}
        {isAsking && (
          <ReplayDialog
            endpoints={endpoints}
            search={search}
            onRequested={() => setRequested(endpoints)}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  );
}
