import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const billingRoute = createRoute({ getParentRoute: () => rootRoute, path: '/billing' }).lazy(async () => {
  const { billingPage } = await import('./page.js');
  return billingPage;
});
