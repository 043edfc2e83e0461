import type { RefusedGroupAnswer } from '../../src/requests/answers.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterGrid, filterOf } from '../components/filter-grid.js';
import { FilterText } from '../components/filter-text.js';
import type { Filters } from './filters.js';

export interface FilterBarProps {
  readonly filters: Filters;
  /** What there is to choose from. */
  readonly groups: readonly RefusedGroupAnswer[];
  readonly onChange: (filters: Filters) => void;
}

const sorted = (values: readonly string[]) => [...new Set(values)].sort();

export function FilterBar({ filters, groups, onChange }: FilterBarProps) {
  const of = filterOf(filters, onChange);
  const codes = sorted(groups.flatMap(({ code }) => code ?? []));
  const routes = sorted(groups.map(({ route }) => route));
  return (
    <FilterGrid filters={filters} onChange={onChange}>
      <FilterText label="Request id" {...of('request')} />
      <FilterChoice label="Code" choices={codes} {...of('code')} />
      <FilterChoice label="Route" choices={routes} {...of('route')} />
      <FilterText label="Key" placeholder="key_…" {...of('key')} />
    </FilterGrid>
  );
}
