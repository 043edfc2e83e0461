/** The filters of the list; each is in the address of the page. */
export const FILTERS = ['request', 'code', 'route', 'key'] as const;
export type Filter = (typeof FILTERS)[number];
export type Filters = { readonly [Name in Filter]?: string | undefined };

export const filtersOf = (search: Filters): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

export const hasFilters = (search: Filters): boolean => FILTERS.some((name) => search[name] !== undefined);
