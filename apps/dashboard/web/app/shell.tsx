import { AppShell, Burger, Button, Container, Group, NativeSelect, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconActivity,
  IconBell,
  IconChartBar,
  IconCreditCard,
  IconHome,
  IconKey,
  IconSend,
  IconShield,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LinkProps, Outlet } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import type { Right } from '../../answers/session.js';
import { hasSessionEnded, useSignal } from '../api/client.js';
import { followChanges, useConnectionWatch } from '../api/live.js';
import { lazyPart } from '../api/part.js';
import { openAgency, openLinkFor, signOut, useSession } from '../api/session.js';
import { Notice } from '../components/error-alert.js';
import { counted } from '../components/formats.js';
import { Name, NavLinkTo } from '../components/id.js';
import { ActionMenu } from '../components/menu.js';
import { Status } from '../components/status.js';
import { Tips } from '../components/tips.js';
import { Toast } from '../components/toast.js';
import { attentionQuery } from '../overview/queries.js';
import { SearchBox } from './search-box.js';

const THEME_NAMES = { light: 'Light theme', dark: 'Dark theme', auto: "The system's theme" } as const;

function Account() {
  const { user, role, agency } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  const themes = (['light', 'dark', 'auto'] as const).map((scheme) => [
    THEME_NAMES[scheme],
    () => setColorScheme(scheme),
  ]);
  return (
    <ActionMenu
      button={
        <Button variant="default" size="compact-md">
          Account
        </Button>
      }
      heading={
        <>
          <Name>{user.name ?? user.id}</Name> {role}
        </>
      }
      chosen={THEME_NAMES[colorScheme]}
      actions={{
        ...Object.fromEntries(themes),
        ...(role === 'operator' && agency !== null && { 'Choose another agency': () => openAgency('') }),
        'Sign out': () => leaving.mutate(),
      }}
    />
  );
}

interface Page {
  readonly name: string;
  readonly path: NonNullable<LinkProps['to']>;
  readonly icon: TablerIcon;
  /** The right without which the page is not in the navigation. */
  readonly right: Right;
}

const PAGES: readonly Page[] = [
  { name: 'Overview', path: '/', icon: IconHome, right: 'read' },
  { name: 'API keys', path: '/keys', icon: IconKey, right: 'read' },
  { name: 'Webhooks', path: '/webhooks', icon: IconWebhook, right: 'read' },
  { name: 'Deliveries', path: '/deliveries', icon: IconSend, right: 'read' },
  { name: 'Events', path: '/events', icon: IconBell, right: 'read' },
  { name: 'Requests', path: '/requests', icon: IconActivity, right: 'read' },
  { name: 'Creators', path: '/creators', icon: IconShield, right: 'read' },
  { name: 'Usage', path: '/usage', icon: IconChartBar, right: 'read' },
  { name: 'Billing', path: '/billing', icon: IconCreditCard, right: 'billing' },
];

/** A count is in the description of the link, so that its name stays that of the page. */
function Pages({ onOpen }: { readonly onOpen: () => void }) {
  const { rights } = useSession();
  const attention = useQuery(attentionQuery).data;
  const [failing, refused] = [attention?.failing_endpoints ?? 0, attention?.refused_requests ?? 0];
  const badges: Readonly<Record<string, { readonly count: number; readonly title: string }>> = {
    Webhooks: { count: failing, title: counted(failing, 'failing endpoint') },
    Requests: { count: refused, title: `${counted(refused, 'refused request')} in 24 hours` },
  };
  return PAGES.filter(({ right }) => rights.includes(right)).map(({ name, path, icon: Icon }) => {
    const badge = badges[name];
    return (
      <NavLinkTo
        key={path}
        to={path}
        label={name}
        leftSection={<Icon size={18} stroke={1.5} />}
        {...(badge !== undefined &&
          badge.count > 0 && {
            title: badge.title,
            rightSection: (
              <Text span size="xs" fw={600} c="var(--mantine-color-error)" aria-hidden>
                {badge.count}
              </Text>
            ),
          })}
        onClick={onOpen}
        activeOptions={{ exact: path === '/', includeSearch: false }}
      />
    );
  });
}

function AgencyChoice() {
  const { agency, agencies } = useSession();
  if (agency === null && agencies.length === 0) return null;
  if (agency !== null && agencies.length < 2) {
    return (
      <Text truncate dir="auto" title={agency.name}>
        {agency.name}
      </Text>
    );
  }
  const open = agency === null ? openLinkFor : openAgency;
  return (
    <NativeSelect
      aria-label="Agency"
      value={agency?.id ?? ''}
      onChange={(event) => open(event.currentTarget.value)}
      data={[
        ...(agency === null ? [{ value: '', label: 'Choose an agency' }] : []),
        ...agencies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

function LiveStatus() {
  const reachable = useConnectionWatch();
  const text = reachable ? 'Live' : 'Reconnecting';
  return (
    <Text component="output" role="status" aria-label={text} size="sm">
      <Status tone={reachable ? 'good' : 'wait'}>{text}</Status>
    </Text>
  );
}

const NoAgency = lazyPart(async () => (await import('./no-agency.js')).NoAgency);
const SessionEnded = lazyPart(async () => (await import('./session-ended.js')).SessionEnded);

export function Shell() {
  const hasEnded = useSignal(hasSessionEnded);
  const { agency, platform_available: isPlatformAvailable } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  const client = useQueryClient();
  const isChosen = agency !== null;
  useEffect(() => (isChosen ? followChanges(client) : undefined), [client, isChosen]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 176, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
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
        {agency !== null && <Pages onOpen={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
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
      <Toast />
      <Tips />
    </AppShell>
  );
}
