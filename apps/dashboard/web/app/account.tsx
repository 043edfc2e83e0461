import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.js')).AccountMenu }));

/** What places a menu next to its button is a tenth of all scripts: it is loaded when the menu is opened first. */
export function Account() {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <Button variant="default" size="compact-md" aria-haspopup="menu" onClick={() => setIsOpened(true)}>
      Account
    </Button>
  );
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  );
}
