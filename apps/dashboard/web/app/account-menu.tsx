import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { openAgency, signOut, useSession } from '../api/session.js';
import { Name } from '../components/id.js';

const THEMES = [
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
  ['auto', "The system's theme"],
] as const;

/** Opens as soon as it is loaded: see `account.tsx`. */
export function AccountMenu() {
  const { user, role, agency } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} defaultOpened>
      <Menu.Target>
        <Button variant="default" size="compact-md">
          Account
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw="90vw">
        <Menu.Label>
          <Name>{user.name ?? user.id}</Name>
          {role}
        </Menu.Label>
        {THEMES.map(([scheme, label]) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} rightSection={scheme === colorScheme && '✓'}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {role === 'operator' && agency !== null && (
          <Menu.Item onClick={() => openAgency('')}>Choose another agency</Menu.Item>
        )}
        <Menu.Item onClick={() => leaving.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
