import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WarningAnswer } from '../../src/overview/answers.js';
import { DateTime } from '../components/date-time.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { Notice } from '../components/notice.js';
import { PageTitle } from '../components/page-title.js';
import { Binding } from './binding.js';
import { CapacityPanel } from './capacity-panel.js';
import { Checklist } from './checklist.js';
import { EventsPanel } from './events-panel.js';
import { overviewQuery } from './queries.js';
import { UsagePanel } from './usage-panel.js';

export const overviewPage = createLazyRoute('/')({ component: OverviewPage });

/** Where the person sees what a warning is about. */
const WARNED: Readonly<Record<WarningAnswer['kind'], ReactNode>> = {
  platform_unavailable: null,
  key_ends: <LinkTo to="/keys">API keys</LinkTo>,
  endpoint_fails: <LinkTo to="/webhooks">Webhooks</LinkTo>,
  records_left_out: <LinkTo to="/creators">Creators</LinkTo>,
};

function OverviewPage() {
  const overview = useQuery(overviewQuery);
  return (
    <>
      <PageTitle name="Overview" help="How far your connection to the API is, and what happens on it." />
      <Loaded query={overview}>
        {(answer) => (
          <Stack>
            <Binding agency={answer.agency} binding={answer.binding} />
            {answer.warnings.map(({ kind, message, at }) => (
              <Notice key={`${kind} ${message}`} color="yellow" mb={0}>
                {message} {WARNED[kind]}
                <div>
                  <DateTime at={at} />
                </div>
              </Notice>
            ))}
            <Checklist steps={answer.checklist} samples={answer.samples} apiUrl={answer.api_url} />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <CapacityPanel capacity={answer.capacity} />
              <UsagePanel usage={answer.usage} isUnbound={answer.binding.state === 'unbound'} />
            </SimpleGrid>
            <EventsPanel days={answer.events_by_day} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
