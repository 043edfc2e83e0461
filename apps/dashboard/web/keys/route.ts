import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { onlyParameters } from '../app/search-parameters.js';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: onlyParameters('after', 'key', 'replaced', 'replacement'),
}).lazy(() => import('./page.js').then(({ keysPage }) => keysPage));
