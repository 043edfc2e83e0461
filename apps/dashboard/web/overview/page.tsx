import { createLazyRoute } from '@tanstack/react-router';
import { PageTitle } from '../components/page-title.js';

export const overviewPage = createLazyRoute('/')({ component: Overview });

function Overview() {
  return <PageTitle name="Overview" />;
}
