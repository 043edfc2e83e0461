import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, retainSearchParams } from '@tanstack/react-router';
import { isSessionEnd } from '../api/client.js';
import { loginAddress, sessionQuery } from '../api/session.js';
import { FrameError, PageNotFound } from './page-error.js';
import { onlyParameters } from './search-parameters.js';
import { Shell } from './shell.js';

/** Saves a request that would fail: the server saw no session cookie. */
const cameWithoutSession = document.querySelector('meta[name="session"][content="none"]') !== null;

const signIn = (): Promise<never> => {
  window.location.assign(loginAddress(window.location.pathname + window.location.search));
  return new Promise(() => undefined);
};

/** Without a session the browser goes to the login, and this page never appears. */
const signedIn = async (client: QueryClient): Promise<unknown> => {
  if (cameWithoutSession) return signIn();
  try {
    return await client.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!isSessionEnd(error)) throw error;
    return signIn();
  }
};

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  validateSearch: onlyParameters('agency'),
  search: { middlewares: [retainSearchParams<{ readonly agency?: string | undefined }>(['agency'])] },
  loader: ({ context }) => signedIn(context.queryClient),
  component: Shell,
  errorComponent: FrameError,
  notFoundComponent: PageNotFound,
});
