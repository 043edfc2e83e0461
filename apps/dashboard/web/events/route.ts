import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: onlyParameters(...FILTERS, 'after'),
}).lazy(() => import('./page.js').then(({ eventsPage }) => eventsPage));

export const eventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id',
}).lazy(() => import('./event-page.js').then(({ eventPage }) => eventPage));
