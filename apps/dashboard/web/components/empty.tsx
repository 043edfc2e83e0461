import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyProps {
  /** There may be some without the filters, next to which the page has "Clear filters". */
  readonly isFiltered?: boolean;
  /** What to do to get the first one. */
  readonly children?: ReactNode;
}

export function Empty({ isFiltered = false, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl">
      <Text fw={600}>{isFiltered ? 'No matches' : 'Nothing yet'}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center">
          {children}
        </Text>
      )}
    </Stack>
  );
}
