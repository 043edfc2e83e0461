import { csvRecord } from '#csv';
import type { PublicCase } from './public-case.js';

/** The columns of D52. */
const COLUMNS = [
  'id',
  'url',
  'domain',
  'status',
  'status_code',
  'source',
  'scan_id',
  'leak_id',
  'created_at',
  'updated_at',
  'actionable',
  'dead_on_arrival',
  'available',
  'api_deindex_supported',
] as const satisfies readonly (keyof PublicCase)[];

/** One page of cases as CSV: the names of the columns, then a record for each case. */
export const caseReport = (cases: readonly PublicCase[]): string =>
  [COLUMNS, ...cases.map((shown) => COLUMNS.map((column) => shown[column]))].map(csvRecord).join('');
