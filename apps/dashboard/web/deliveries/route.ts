import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries',
  validateSearch: onlyParameters('tab', ...FILTERS, 'after'),
}).lazy(() => import('./page.js').then(({ deliveriesPage }) => deliveriesPage));

export const deliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries/$id',
}).lazy(() => import('./delivery-page.js').then(({ deliveryPage }) => deliveryPage));
