import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: onlyParameters('month', 'after'),
}).lazy(async () => {
  const { usagePage } = await import('./page.js');
  return usagePage;
});

export const usageOfCreatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage/$id',
  validateSearch: onlyParameters('month'),
}).lazy(async () => {
  const { usageOfCreatorPage } = await import('./creator-page.js');
  return usageOfCreatorPage;
});
