import { ActionIcon, Button } from '@mantine/core';
import { type ComponentPropsWithRef, cloneElement, type ReactElement, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../api/part.js';
import type { MenuProps } from './opened-menu.js';

const OpenedMenu = lazyPart(async () => (await import('./opened-menu.js')).OpenedMenu);

/** The code that positions a menu is a tenth of all scripts: it is loaded when one first opens. */
export function ActionMenu({
  button,
  ...menu
}: MenuProps & { readonly button: ReactElement<ComponentPropsWithRef<'button'>> }) {
  const [isOpened, setIsOpened] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  const shown = cloneElement(button, { ref, 'aria-haspopup': 'menu', onClick: () => setIsOpened(true) });
  if (!isOpened) return shown;
  return (
    <Suspense fallback={shown}>
      <OpenedMenu button={shown} focusButton={() => ref.current?.focus()} {...menu} />
    </Suspense>
  );
}

export function RowMenu({ of, actions }: { readonly of: string } & Pick<MenuProps, 'actions'>) {
  if (Object.keys(actions).length === 0) return null;
  const button = (
    <ActionIcon variant="subtle" color="gray" c="inherit" aria-label={`Actions for ${of}`}>
      ⋯
    </ActionIcon>
  );
  return <ActionMenu button={button} actions={actions} />;
}

export function ActionButtons({ actions }: Pick<MenuProps, 'actions'>) {
  return Object.entries(actions).map(([name, run]) => (
    <Button key={name} variant="default" onClick={run}>
      {name}
    </Button>
  ));
}
