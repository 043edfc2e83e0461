import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  validateSearch: onlyParameters('by', ...FILTERS, 'after'),
}).lazy(() => import('./page.js').then(({ requestsPage }) => requestsPage));
