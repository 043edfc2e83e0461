import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';

interface OpenedRowMenuProps {
  readonly button: ReactElement;
  readonly focusButton: () => void;
  readonly actions: Readonly<Record<string, () => void>>;
}

/** Opens as soon as it is loaded. */
export function OpenedRowMenu({ button, focusButton, actions }: OpenedRowMenuProps) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {Object.entries(actions).map(([name, run]) => (
          <Menu.Item
            key={name}
            onClick={() => {
              // A dialog gives the focus back to what had it, and the item is gone by then.
              focusButton();
              run();
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
