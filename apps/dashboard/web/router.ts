import { createRoute, createRouter } from '@tanstack/react-router';
import { part } from './api/part.js';
import { queryClient } from './api/server-query.js';
import { PageError, PageNotFound } from './app/page-error.js';
import { rootRoute } from './app/root-route.js';
import { onlyParameters, parseSearch, stringifySearch } from './app/search-parameters.js';

/** A page, with the parameters that may be in its address. */
const page = <const Path extends string, Name extends string = never>(path: Path, ...names: readonly Name[]) =>
  createRoute({ getParentRoute: () => rootRoute, path, validateSearch: onlyParameters(...names) });

const DELIVERY_FILTERS = ['endpoint', 'type', 'status', 'answer', 'creator', 'event', 'from', 'to'] as const;

/** Each is loaded when it is first shown. */
const routes = [
  page('/').lazy(() => part(async () => (await import('./overview/page.js')).overviewPage)),
  page('/keys', 'after', 'key', 'replaced', 'replacement').lazy(() =>
    part(async () => (await import('./keys/page.js')).keysPage),
  ),
  page('/webhooks', 'after').lazy(() => part(async () => (await import('./webhooks/page.js')).webhooksPage)),
  page('/webhooks/$id').lazy(() => part(async () => (await import('./webhooks/endpoint-page.js')).endpointPage)),
  page('/deliveries', 'tab', 'after', ...DELIVERY_FILTERS).lazy(() =>
    part(async () => (await import('./deliveries/page.js')).deliveriesPage),
  ),
  page('/deliveries/$id').lazy(() => part(async () => (await import('./deliveries/delivery-page.js')).deliveryPage)),
  page('/events', 'type', 'creator', 'from', 'to', 'after').lazy(() =>
    part(async () => (await import('./events/page.js')).eventsPage),
  ),
  page('/events/$id').lazy(() => part(async () => (await import('./events/event-page.js')).eventPage)),
  page('/creators', 'text', 'enrollment_status', 'protection_status', 'after').lazy(() =>
    part(async () => (await import('./creators/page.js')).creatorsPage),
  ),
  page('/creators/$id', 'part', 'after', 'record', 'record_after').lazy(() =>
    part(async () => (await import('./creators/creator-page.js')).creatorPage),
  ),
  page('/creators/$id/cases', 'status', 'source', 'site', 'after').lazy(() =>
    part(async () => (await import('./creators/cases-page.js')).casesPage),
  ),
  page('/usage', 'month', 'after').lazy(() => part(async () => (await import('./usage/page.js')).usagePage)),
  page('/usage/$id', 'month').lazy(() =>
    part(async () => (await import('./usage/creator-page.js')).usageOfCreatorPage),
  ),
  page('/requests', 'by', 'code', 'route', 'key', 'after').lazy(() =>
    part(async () => (await import('./requests/page.js')).requestsPage),
  ),
  page('/requests/$id').lazy(() => part(async () => (await import('./requests/request-page.js')).requestPage)),
  page('/billing').lazy(() => part(async () => (await import('./billing/page.js')).billingPage)),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/dashboard',
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
