import { Button, Group } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { endpointChoiceQuery } from './queries.js';
import { type MatchSearch, replayQuery } from './replay-queries.js';

const ReplayDialog = lazy(async () => ({ default: (await import('./replay-dialog.js')).ReplayDialog }));
const RunningReplay = lazy(async () => ({ default: (await import('./running-replay.js')).RunningReplay }));

/** Sends again all that matches the filters on the tab, to the chosen endpoint or to each, and shows how far that is. */
export function ReplayAll({ search }: { readonly search: MatchSearch }) {
  const [isAsking, setAsking] = useState(false);
  const choices = useQuery(endpointChoiceQuery);
  const active = (choices.data?.data ?? []).filter(({ status }) => status === 'active').map(({ id }) => id);
  const endpoints = search.endpoint === undefined ? active : active.filter((id) => id === search.endpoint);
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
      <Suspense>
        {running.map((replay) => (
          <RunningReplay key={replay.endpoint_id} replay={replay} />
        ))}
        {isAsking && <ReplayDialog endpoints={endpoints} search={search} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
}
