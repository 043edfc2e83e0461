import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const overviewRoute = createRoute({ getParentRoute: () => rootRoute, path: '/' }).lazy(() =>
  import('./page.js').then(({ overviewPage }) => overviewPage),
);
