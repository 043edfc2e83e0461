import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const overviewRoute = createRoute({ getParentRoute: () => rootRoute, path: '/' }).lazy(async () => {
  const { overviewPage } = await import('./page.js');
  return overviewPage;
});
