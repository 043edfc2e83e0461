import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const billingRoute = createRoute({ getParentRoute: () => rootRoute, path: '/billing' }).lazy(() =>
  import('./page.js').then(({ billingPage }) => billingPage),
);
