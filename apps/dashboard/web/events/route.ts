import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: onlyParameters(...FILTERS, 'after'),
}).lazy(async () => {
  const { eventsPage } = await import('./page.js');
  return eventsPage;
});

export const eventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id',
}).lazy(async () => {
  const { eventPage } = await import('./event-page.js');
  return eventPage;
});
