import { type Figures, median, middleRound, ratiosOf } from './figures.js';
import type { LoadResult } from './processes/load.js';

/** Loads of the same rounds, with how long almost all requests took at most; `floorName` is what the floors were measured on. */
export const comparedLoads = (
  values: readonly LoadResult[],
  floors: readonly LoadResult[],
  { unit, floorName }: { readonly unit: string; readonly floorName: string },
): Figures => {
  const rates = (loads: readonly LoadResult[]) => loads.map(({ perSecond }) => perSecond);
  const p99 = (loads: readonly LoadResult[]) => `${median(loads.map((load) => load.p99))} ms`;
  const within = `99 of 100 within ${p99(values)}, ${floorName} within ${p99(floors)}`;
  return {
    ...middleRound(rates(values), rates(floors)),
    unit,
    note: `${within}; ${ratiosOf(rates(values), rates(floors))}`,
  };
};
