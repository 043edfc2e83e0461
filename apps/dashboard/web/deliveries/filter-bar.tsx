import { useQuery } from '@tanstack/react-query';
import { FilterChoice, FilterGrid, FilterText, FilterTime, filterOf } from '../components/filters.js';
import { endpointName } from '../components/formats.js';
import { EVENT_TYPES } from '../event-types.js';
import { type DeliveryFilters, endpointChoiceQuery, STATUS_NAMES } from './queries.js';

const STATUSES = Object.entries(STATUS_NAMES).map(([value, label]) => ({ value, label }));

interface FilterBarProps {
  readonly filters: DeliveryFilters;
  readonly onChange: (filters: DeliveryFilters) => void;
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const endpoints = useQuery(endpointChoiceQuery);
  const choices = (endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, label: endpointName(url) }));
  const of = filterOf(filters, onChange);
  return (
    <FilterGrid filters={filters} onChange={onChange}>
      <FilterChoice label="Endpoint" choices={choices} {...of('endpoint')} />
      <FilterChoice label="Type" choices={EVENT_TYPES} {...of('type')} />
      <FilterChoice label="Status" choices={STATUSES} {...of('status')} />
      <FilterText label="Answer" placeholder="500, 5xx, timeout" {...of('answer')} />
      <FilterText label="Creator" prefix="crt_" {...of('creator')} />
      <FilterText label="Event" prefix="evt_" {...of('event')} />
      <FilterTime label="From" {...of('from')} />
      <FilterTime label="To" {...of('to')} />
    </FilterGrid>
  );
}
