import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
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

function OverviewPage() {
  const overview = useQuery(overviewQuery);
  return (
    <>
      <PageTitle name="Overview" help="How far your connection to the API is, and what happens on it." />
      <Loaded query={overview}>
        {(answer) => (
          <Stack>
            <Binding agency={answer.agency} binding={answer.binding} />
            {answer.warnings.map(({ kind, message }) => (
              <Notice key={`${kind} ${message}`} color="yellow" mb={0}>
                {message}
              </Notice>
            ))}
            <Checklist steps={answer.checklist} curl={answer.curl} apiUrl={answer.api_url} />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <CapacityPanel capacity={answer.capacity} />
              <UsagePanel usage={answer.usage} />
            </SimpleGrid>
            <EventsPanel days={answer.events_by_day} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
