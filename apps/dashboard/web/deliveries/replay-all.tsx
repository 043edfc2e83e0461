import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../api/part.js';
import { useDialog } from '../components/dialog.js';
import { ErrorAlert } from '../components/error-alert.js';
import { DAY_MS, endpointName } from '../components/formats.js';
import { useNow } from '../components/now.js';
import { endpointChoiceQuery } from './queries.js';
import { type MatchSearch, replaysQuery } from './replay-queries.js';

const ReplayDialog = lazyPart(async () => (await import('./replay-dialog.js')).ReplayDialog);
const ReplayProgress = lazyPart(async () => (await import('./replay-dialog.js')).ReplayProgress);

export function ReplayAll({ search }: { readonly search: MatchSearch }) {
  const { dialog, opening } = useDialog();
  const choices = useQuery(endpointChoiceQuery);
  const replays = useQuery(replaysQuery);
  const active = (choices.data?.data ?? []).filter(({ status }) => status === 'active');
  const matching = active.filter(({ id }) => search.endpoint === undefined || id === search.endpoint);
  const endpoints = new Map(matching.map(({ id, url }) => [id, endpointName(url)]));
  const isRunning = (replays.data?.data ?? []).some(
    ({ endpoint_id: id, status }) => status === 'running' && endpoints.has(id),
  );
  if (endpoints.size === 0) return null;
  return (
    <>
      <ErrorAlert error={replays.error} title="The replays could not be loaded" />
      {!isRunning && (
        <Button variant="default" onClick={opening(ReplayDialog, { endpoints, search })}>
          Replay all matching
        </Button>
      )}
      {dialog}
    </>
  );
}

const RESULT_SHOWN_MS = DAY_MS;

/** The replays that run, and for a day the results of those that have ended. */
export function Replays() {
  const now = useNow();
  const { data: replays } = useQuery(replaysQuery);
  const { data: endpoints } = useQuery(endpointChoiceQuery);
  const shown = (replays?.data ?? []).filter(({ ended_at: end }) => end === null || now - end < RESULT_SHOWN_MS);
  return (
    <Suspense>
      {shown.map((replay) => (
        <ReplayProgress
          key={replay.endpoint_id}
          replay={replay}
          url={endpoints?.data.find(({ id }) => id === replay.endpoint_id)?.url ?? null}
        />
      ))}
    </Suspense>
  );
}
