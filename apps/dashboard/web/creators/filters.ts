import { onlyParameters } from '../app/search-parameters.js';

/** The filters of the list; each is in the address of the page. */
export const FILTERS = ['enrollment_status', 'protection_status'] as const;

export const filtersOf = onlyParameters(...FILTERS);
export type Filters = ReturnType<typeof filtersOf>;
