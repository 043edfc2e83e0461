import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: onlyParameters('month', 'after'),
}).lazy(() => import('./page.js').then(({ usagePage }) => usagePage));

export const usageOfCreatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage/$id',
  validateSearch: onlyParameters('month'),
}).lazy(() => import('./creator-page.js').then(({ usageOfCreatorPage }) => usageOfCreatorPage));
