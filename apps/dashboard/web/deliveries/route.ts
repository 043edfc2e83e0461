import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries',
  validateSearch: onlyParameters('tab', ...FILTERS, 'after'),
}).lazy(async () => {
  const { deliveriesPage } = await import('./page.js');
  return deliveriesPage;
});

export const deliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries/$id',
}).lazy(async () => {
  const { deliveryPage } = await import('./delivery-page.js');
  return deliveryPage;
});
