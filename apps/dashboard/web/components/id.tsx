import { Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './breakable.module.css';
import { Copy } from './copy.js';

/** An id that can be copied; `children` is the link to what it names. */
export function Id({ value, children }: { readonly value: string; readonly children?: ReactNode }) {
  return (
    <Group gap="0 4px">
      <span className={classes.id}>{children ?? <Code>{value}</Code>}</span>
      <Copy value={value} what={value} />
    </Group>
  );
}
