import { Menu } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

export interface MenuProps {
  readonly heading?: ReactNode;
  /** The items that are offered, by name. */
  readonly actions: Readonly<Record<string, () => void>>;
  /** The name of an item that is in force. */
  readonly chosen?: string;
}

interface OpenedMenuProps extends MenuProps {
  readonly button: ReactElement;
  readonly focusButton: () => void;
}

/** A landmark: assistive technology goes from one to the next. */
const PORTAL = { target: '#content' } as const;

/** Opens as soon as it is loaded. */
export function OpenedMenu({ button, focusButton, heading, actions, chosen }: OpenedMenuProps) {
  return (
    <Menu position="bottom-end" portalProps={PORTAL} withInitialFocusPlaceholder={false} defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown maw="90vw">
        {heading !== undefined && <Menu.Label>{heading}</Menu.Label>}
        {Object.entries(actions).map(([name, run]) => (
          <Menu.Item
            key={name}
            rightSection={name === chosen && '✓'}
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
