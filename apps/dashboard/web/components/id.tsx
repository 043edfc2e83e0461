import { Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './breakable.module.css';
import { Copy } from './copy.js';
import { LinkTo } from './link-to.js';

/** An id that can be copied, and leads to the page of what it names; `children` is another link. */
export function Id({ value, children }: { readonly value: string; readonly children?: ReactNode }) {
  return (
    <Group gap="0 4px">
      <span className={classes.id}>{children ?? linkOf(value)}</span>
      <Copy value={value} what={value} />
    </Group>
  );
}

const linkOf = (id: string): ReactNode => {
  switch (id.split('_')[0]) {
    case 'crt':
      return (
        <LinkTo to="/creators/$id" params={{ id }} size="sm">
          {id}
        </LinkTo>
      );
    case 'evt':
      return (
        <LinkTo to="/events/$id" params={{ id }} size="sm">
          {id}
        </LinkTo>
      );
    case 'whd':
      return (
        <LinkTo to="/deliveries/$id" params={{ id }} size="sm">
          {id}
        </LinkTo>
      );
    case 'whe':
      return (
        <LinkTo to="/webhooks" search={{ endpoint: id }} size="sm">
          {id}
        </LinkTo>
      );
    case 'key':
      return (
        <LinkTo to="/keys" search={{ key: id }} size="sm">
          {id}
        </LinkTo>
      );
    default:
      return <Code>{id}</Code>;
  }
};
