import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Right, SessionAnswer } from '../../answers/session.js';
import { call, hasSessionEnded, keepCsrfToken, post } from './client.js';

/** Loads a new page, so that nothing of another agency is left in it. Without an id, the page asks for one. */
export const openAgency = (id: string): void => {
  const parameters = id === '' ? '' : `?${new URLSearchParams({ agency: id })}`;
  window.location.assign(`/dashboard/${parameters}`);
};

/** Adds the agency to the address. The page and its filters stay. */
export const openLinkFor = (id: string): void => {
  const address = new URL(window.location.href);
  address.searchParams.set('agency', id);
  window.location.assign(address);
};

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

/** The server refuses these until the agency is bound to its present owner. */
const OF_BOUND_AGENCY: readonly Right[] = ['manage_keys', 'manage_endpoints', 'replay'];

/** Pages leave out what a person may not do, or not yet. The server refuses it in any case. */
export const useMay = (right: Right): boolean => {
  const { rights, agency } = useSession();
  return rights.includes(right) && (agency?.binding === 'bound' || !OF_BOUND_AGENCY.includes(right));
};

export const useIsBound = (): boolean => useSession().agency?.binding === 'bound';

export const loginAddress = (returnTo: string): string =>
  `/dashboard/login?${new URLSearchParams({ return_to: returnTo })}`;

/** Continues with the session of a new login. Another person gets a new page, without the first one's data. */
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

/** Ends the session, and leads the browser to where the provider ends its own. */
export async function signOut(): Promise<void> {
  const { location } = await post<{ readonly location: string }>('/logout');
  window.location.assign(location);
}
