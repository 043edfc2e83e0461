import { createRoute, createRouter, LazyRoute, type RouteComponent } from '@tanstack/react-router';
import { part } from './api/part.js';
import { queryClient } from './api/server-query.js';
import { PageError, PageNotFound } from './app/page-error.js';
import { rootRoute } from './app/root-route.js';
import { onlyParameters, parseSearch, stringifySearch } from './app/search-parameters.js';

/** A page, which is loaded when it is first shown, with the parameters that may be in its address. */
const page = <const Path extends string, Name extends string = never>(
  path: Path,
  names: readonly Name[],
  load: () => Promise<RouteComponent>,
) =>
  createRoute({ getParentRoute: () => rootRoute, path, validateSearch: onlyParameters(...names) }).lazy(() =>
    part(async () => new LazyRoute({ id: path, component: await load() })),
  );

const DELIVERY_FILTERS = ['endpoint', 'type', 'status', 'answer', 'creator', 'event', 'from', 'to'] as const;

const routes = [
  page('/', [], async () => (await import('./overview/page.js')).OverviewPage),
  page(
    '/keys',
    ['status', 'sort', 'after', 'replaced', 'replacement'],
    async () => (await import('./keys/page.js')).KeysPage,
  ),
  page('/keys/$id', [], async () => (await import('./keys/key-page.js')).KeyPage),
  page('/webhooks', ['after'], async () => (await import('./webhooks/page.js')).WebhooksPage),
  page('/webhooks/$id', [], async () => (await import('./webhooks/endpoint-page.js')).EndpointPage),
  page(
    '/deliveries',
    ['tab', 'after', ...DELIVERY_FILTERS],
    async () => (await import('./deliveries/page.js')).DeliveriesPage,
  ),
  page('/deliveries/$id', [], async () => (await import('./deliveries/delivery-page.js')).DeliveryPage),
  page(
    '/events',
    ['type', 'creator', 'from', 'to', 'after'],
    async () => (await import('./events/page.js')).EventsPage,
  ),
  page('/events/$id', [], async () => (await import('./events/event-page.js')).EventPage),
  page(
    '/creators',
    ['text', 'enrollment_status', 'protection_status', 'after'],
    async () => (await import('./creators/page.js')).CreatorsPage,
  ),
  page(
    '/creators/$id',
    ['part', 'after', 'record', 'record_after'],
    async () => (await import('./creators/creator-page.js')).CreatorPage,
  ),
  page(
    '/creators/$id/cases',
    ['status', 'source', 'site', 'after'],
    async () => (await import('./creators/cases-page.js')).CasesPage,
  ),
  page('/usage', ['month', 'after'], async () => (await import('./usage/page.js')).UsagePage),
  page('/usage/$id', ['month'], async () => (await import('./usage/creator-page.js')).UsageOfCreatorPage),
  page(
    '/requests',
    ['by', 'code', 'route', 'key', 'after'],
    async () => (await import('./requests/page.js')).RequestsPage,
  ),
  page('/requests/$id', [], async () => (await import('./requests/request-page.js')).RequestPage),
  page('/billing', [], async () => (await import('./billing/page.js')).BillingPage),
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
