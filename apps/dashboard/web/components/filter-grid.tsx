import { Button, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

/** The parameters of an address that narrow a list. */
export type Filters<Name extends string> = { readonly [Key in Name]?: string | undefined };

export const hasFilters = (filters: object): boolean => Object.values(filters).some((value) => value !== undefined);

/** The value of each filter, and what changes it. */
export const filterOf =
  <Name extends string>(filters: Filters<Name>, onChange: (filters: Filters<Name>) => void) =>
  (name: Name) => ({
    value: filters[name],
    onChange: (value: string | undefined) => onChange({ ...filters, [name]: value }),
  });

export interface FilterGridProps {
  readonly filters: object;
  readonly onChange: (none: Record<string, never>) => void;
  readonly children: ReactNode;
}

/** The filters of a list, with a button that takes all of them away. */
export function FilterGrid({ filters, onChange, children }: FilterGridProps) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" mb="md" role="search" aria-label="Filters">
      {children}
      {hasFilters(filters) && (
        <Button variant="default" onClick={() => onChange({})} style={{ alignSelf: 'end' }}>
          Clear filters
        </Button>
      )}
    </SimpleGrid>
  );
}
