import { ActionIcon } from '@mantine/core';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../api/part.js';

interface RowMenuProps {
  /** The name of the row's subject. */
  readonly of: string;
  /** The items that are offered, by name. */
  readonly actions: Readonly<Record<string, () => void>>;
}

const OpenedRowMenu = lazyPart(async () => (await import('./opened-row-menu.js')).OpenedRowMenu);

/** All actions of a row. The code that positions a menu is a tenth of all scripts: it is loaded when one first opens. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const [isOpened, setIsOpened] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  if (Object.keys(actions).length === 0) return null;
  const button = (
    <ActionIcon
      ref={ref}
      variant="subtle"
      color="gray"
      c="inherit"
      aria-haspopup="menu"
      aria-label={`Actions for ${of}`}
      onClick={() => setIsOpened(true)}
    >
      ⋯
    </ActionIcon>
  );
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <OpenedRowMenu button={button} focusButton={() => ref.current?.focus()} actions={actions} />
    </Suspense>
  );
}
