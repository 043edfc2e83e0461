import { createRouter } from '@tanstack/react-router';
import { queryClient } from './api/query-client.js';
import { PageError } from './app/page-error.js';
import { PageNotFound } from './app/page-not-found.js';
import { rootRoute } from './app/root-route.js';
import { parseSearch, stringifySearch } from './app/search-parameters.js';
import { billingRoute } from './billing/route.js';
import { creatorRoute, creatorsRoute } from './creators/route.js';
import { deliveriesRoute, deliveryRoute } from './deliveries/route.js';
import { eventRoute, eventsRoute } from './events/route.js';
import { keysRoute } from './keys/route.js';
import { overviewRoute } from './overview/route.js';
import { requestsRoute } from './requests/route.js';
import { usageOfCreatorRoute, usageRoute } from './usage/route.js';
import { webhooksRoute } from './webhooks/route.js';

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overviewRoute,
    keysRoute,
    webhooksRoute,
    deliveriesRoute,
    deliveryRoute,
    eventsRoute,
    eventRoute,
    creatorsRoute,
    creatorRoute,
    usageRoute,
    usageOfCreatorRoute,
    requestsRoute,
    billingRoute,
  ]),
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
