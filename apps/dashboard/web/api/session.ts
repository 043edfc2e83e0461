import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Right, SessionAnswer } from '../../src/session/answers.js';
import { call, hasSessionEnded, keepCsrfToken } from './client.js';

const readSession = async (): Promise<SessionAnswer> => {
  const session = await call<SessionAnswer>('/api/session');
  keepCsrfToken(session.csrf_token);
  return session;
};

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSession = (): SessionAnswer => useSuspenseQuery(sessionQuery).data;

/** What a person may not do is not on the page; the server refuses it in any case. */
export const useMay = (right: Right): boolean => useSession().rights.includes(right);

/** Where the browser goes to sign in, and comes back to. */
export const loginAddress = (returnTo: string): string =>
  `/dashboard/login?${new URLSearchParams({ return_to: returnTo })}`;

/** Goes on with the session of a new login. Another person gets a new page, without what the first one saw. */
export async function continueSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData(sessionQuery.queryKey);
  const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (before !== undefined && before.user.id !== session.user.id) {
    window.location.reload();
    return;
  }
  hasSessionEnded.set(false);
  await client.invalidateQueries();
}

/** Ends the session, also at the identity provider: the answer says where the browser goes for that. */
export async function signOut(): Promise<void> {
  const { location } = await call<{ readonly location: string }>('/logout', { method: 'POST' });
  window.location.assign(location);
}
