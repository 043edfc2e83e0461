import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, retainSearchParams } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.js';
import { FrameError } from './page-error.js';
import { PageNotFound } from './page-not-found.js';
import { onlyParameters } from './search-parameters.js';
import { Shell } from './shell.js';

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  validateSearch: onlyParameters('agency'),
  search: { middlewares: [retainSearchParams<{ readonly agency?: string | undefined }>(['agency'])] },
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: Shell,
  errorComponent: FrameError,
  notFoundComponent: PageNotFound,
});
