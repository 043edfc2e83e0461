import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyProps {
  /** The control that clears the filters, where there are any. */
  readonly clearFilters?: ReactNode;
  /** What to do to get the first one. */
  readonly children?: ReactNode;
}

export function Empty({ clearFilters, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl">
      <Text fw={600}>{clearFilters === undefined ? 'Nothing yet' : 'No matches'}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" ta="center">
          {children}
        </Text>
      )}
      {clearFilters}
    </Stack>
  );
}
