import { Button, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

export const hasFilters = (filters: object): boolean => Object.values(filters).some((value) => value !== undefined);

export interface FilterGridProps {
  readonly filters: object;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** The filters of a list, with a button that takes all of them away. */
export function FilterGrid({ filters, onClear, children }: FilterGridProps) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" mb="md" role="search" aria-label="Filters">
      {children}
      {hasFilters(filters) && (
        <Button variant="default" onClick={onClear} style={{ alignSelf: 'end' }}>
          Clear filters
        </Button>
      )}
    </SimpleGrid>
  );
}
