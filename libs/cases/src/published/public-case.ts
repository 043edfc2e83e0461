import { csvRecord } from '#csv';
import type { Published } from '#kernel';
import { domainOf } from '../domain/finding-url.js';
import type { CaseRow } from '../read-models/case-list.js';

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

export const caseReport = (cases: readonly PublicCase[]): string =>
  [COLUMNS, ...cases.map((shown) => COLUMNS.map((column) => shown[column]))].map(csvRecord).join('');

/** `faviconTemplate` contains `{domain}`; without a template there are no favicons (D50). */
export const publicCase = (row: CaseRow, faviconTemplate: string | undefined) => {
  const { caseId, creatorId, scanId, leakId, available, finding } = row;
  const domain = domainOf(finding.url);
  const hasProvenance = scanId !== null;
  return {
    id: caseId,
    scan_id: scanId,
    creator_id: creatorId,
    status: finding.status,
    status_code: finding.statusCode,
    url: finding.url,
    domain,
    favicon_url: domain === '' ? null : (faviconTemplate?.replaceAll('{domain}', encodeURIComponent(domain)) ?? null),
    simulated: false as const,
    created_at: finding.createdAt,
    source: hasProvenance ? ('api_scan' as const) : ('svc' as const),
    leak_id: leakId,
    updated_at: finding.updatedAt,
    actionable: finding.actionable,
    dead_on_arrival: finding.deadOnArrival,
    available,
    api_deindex_supported: hasProvenance,
  };
};

export type PublicCase = Published<ReturnType<typeof publicCase>>;
