import { useQuery } from '@tanstack/react-query';
import { EVENT_TYPES } from '../components/event-types.js';
import { FilterChoice } from '../components/filter-choice.js';
import { FilterGrid, filterOf } from '../components/filter-grid.js';
import { FilterText } from '../components/filter-text.js';
import { FilterTime } from '../components/filter-time.js';
import type { Filters } from './filters.js';
import { endpointChoiceQuery, STATUS_NAMES } from './queries.js';

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

const STATUSES = Object.entries(STATUS_NAMES).map(([value, label]) => ({ value, label }));

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const endpoints = useQuery(endpointChoiceQuery);
  const choices = (endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, label: url }));
  const of = filterOf(filters, onChange);
  return (
    <FilterGrid filters={filters} onChange={onChange}>
      <FilterChoice label="Endpoint" choices={choices} {...of('endpoint')} />
      <FilterChoice label="Type" choices={EVENT_TYPES} {...of('type')} />
      <FilterChoice label="Status" choices={STATUSES} {...of('status')} />
      <FilterText label="Answer" placeholder="500, timeout" {...of('answer')} />
      <FilterText label="Creator" placeholder="crt_…" {...of('creator')} />
      <FilterText label="Event" placeholder="evt_…" {...of('event')} />
      <FilterTime label="From" {...of('from')} />
      <FilterTime label="To" {...of('to')} />
    </FilterGrid>
  );
}
