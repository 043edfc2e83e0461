import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';
import { FILTERS } from './filters.js';

export const creatorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/creators',
  validateSearch: onlyParameters(...FILTERS, 'after'),
}).lazy(() => import('./page.js').then(({ creatorsPage }) => creatorsPage));

export const creatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/creators/$id',
  validateSearch: onlyParameters('part', 'after', 'record', 'record_after'),
}).lazy(() => import('./creator-page.js').then(({ creatorPage }) => creatorPage));
