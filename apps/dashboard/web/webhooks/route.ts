import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: onlyParameters('after', 'endpoint'),
}).lazy(() => import('./page.js').then(({ webhooksPage }) => webhooksPage));
