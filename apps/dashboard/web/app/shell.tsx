import { AppShell, Burger, Container, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { hasSessionEnded } from '../api/client.js';
import { followChanges } from '../api/live.js';
import { useSession } from '../api/session.js';
import { useSignal } from '../api/signal.js';
import { NavLinkTo } from '../components/link-to.js';
import { Notice } from '../components/notice.js';
import { Account } from './account.js';
import { AgencyChoice } from './agency-choice.js';
import { LiveStatus } from './live-status.js';
import { PAGES } from './pages.js';
import { SearchBox } from './search-box.js';

const NoAgency = lazy(async () => ({ default: (await import('./no-agency.js')).NoAgency }));
const SessionEnded = lazy(async () => ({ default: (await import('./session-ended.js')).SessionEnded }));

export function Shell() {
  const hasEnded = useSignal(hasSessionEnded);
  const { agency, rights, platform_available: isPlatformAvailable } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  const client = useQueryClient();
  const isChosen = agency !== null;
  useEffect(() => (isChosen ? followChanges(client) : undefined), [client, isChosen]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              flex="none"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <Text fw={600} visibleFrom="sm">
              Creator Protection
            </Text>
            <AgencyChoice />
          </Group>
          <Group gap="xs" wrap="nowrap" flex="0 100 auto" miw="min-content">
            {agency !== null && <SearchBox />}
            <LiveStatus />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Dashboard" p="xs">
        {agency !== null &&
          PAGES.filter(({ right }) => rights.includes(right)).map(({ name, path }) => (
            <NavLinkTo
              key={path}
              to={path}
              label={name}
              onClick={close}
              activeOptions={{ exact: path === '/', includeSearch: false }}
            />
          ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <Container size="xl" p={0}>
          {!isPlatformAvailable && (
            <Notice color="yellow" title="The platform cannot be asked who owns this agency">
              Until it answers, everybody can read here and nobody can change anything.
            </Notice>
          )}
          {agency === null ? (
            <Suspense>
              <NoAgency />
            </Suspense>
          ) : (
            <Outlet />
          )}
        </Container>
      </AppShell.Main>
      <Suspense>{hasEnded && <SessionEnded />}</Suspense>
    </AppShell>
  );
}
