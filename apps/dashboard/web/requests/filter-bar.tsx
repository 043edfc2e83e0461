import { Button, SimpleGrid } from '@mantine/core';
import type { RefusedGroupAnswer } from '../api/types.gen.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterText } from '../components/filter-text.js';
import { type Filter, type Filters, hasFilters } from './filters.js';

export interface FilterBarProps {
  readonly filters: Filters;
  /** What there is to choose from. */
  readonly groups: readonly RefusedGroupAnswer[];
  readonly onChange: (name: Filter, value: string | undefined) => void;
  /** Undefined where the empty list below has the button. */
  readonly onClear: (() => void) | undefined;
}

const choicesOf = (values: readonly string[]) => [...new Set(values)].sort().map((value) => ({ value, label: value }));

export function FilterBar({ filters, groups, onChange, onClear }: FilterBarProps) {
  const of = (name: Filter) => ({ value: filters[name], onChange: (value?: string) => onChange(name, value) });
  const codes = choicesOf(groups.flatMap(({ code }) => code ?? []));
  const routes = choicesOf(groups.map(({ route }) => route));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" mb="md" role="search" aria-label="Filters">
      <FilterText label="Request id" {...of('request')} />
      <FilterChoice label="Code" choices={codes} {...of('code')} />
      <FilterChoice label="Route" choices={routes} {...of('route')} />
      <FilterText label="Key" placeholder="key_…" {...of('key')} />
      {hasFilters(filters) && onClear !== undefined && (
        <Button variant="default" onClick={onClear} style={{ alignSelf: 'end' }}>
          Clear filters
        </Button>
      )}
    </SimpleGrid>
  );
}
