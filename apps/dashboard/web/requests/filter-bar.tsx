import type { RefusedGroupAnswer } from '../api/types.gen.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterGrid } from '../components/filter-grid.js';
import { FilterText } from '../components/filter-text.js';
import type { Filter, Filters } from './filters.js';

export interface FilterBarProps {
  readonly filters: Filters;
  /** What there is to choose from. */
  readonly groups: readonly RefusedGroupAnswer[];
  readonly onChange: (name: Filter, value: string | undefined) => void;
  readonly onClear: () => void;
}

const choicesOf = (values: readonly string[]) => [...new Set(values)].sort().map((value) => ({ value, label: value }));

export function FilterBar({ filters, groups, onChange, onClear }: FilterBarProps) {
  const of = (name: Filter) => ({ value: filters[name], onChange: (value?: string) => onChange(name, value) });
  const codes = choicesOf(groups.flatMap(({ code }) => code ?? []));
  const routes = choicesOf(groups.map(({ route }) => route));
  return (
    <FilterGrid filters={filters} onClear={onClear}>
      <FilterText label="Request id" {...of('request')} />
      <FilterChoice label="Code" choices={codes} {...of('code')} />
      <FilterChoice label="Route" choices={routes} {...of('route')} />
      <FilterText label="Key" placeholder="key_…" {...of('key')} />
    </FilterGrid>
  );
}
