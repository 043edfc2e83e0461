import { onlyParameters } from '../app/search-parameters.js';

/** The filters of the list; each is in the address of the page. */
export const FILTERS = ['request', 'code', 'route', 'key'] as const;
export type Filter = (typeof FILTERS)[number];
export type Filters = { readonly [Name in Filter]?: string | undefined };

export const filtersOf = onlyParameters(...FILTERS);
