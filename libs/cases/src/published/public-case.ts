import type { Instant } from '#kernel';
import type { CaseRow } from '../read-models/case-list.js';

export interface PublicCase {
  readonly id: string;
  readonly scan_id: string | null;
  readonly creator_id: string;
  readonly status: string;
  readonly status_code: string;
  readonly url: string;
  readonly domain: string;
  readonly favicon_url: string | null;
  readonly simulated: false;
  readonly created_at: Instant;
  readonly source: 'svc' | 'api_scan';
  readonly leak_id: string;
  readonly updated_at: Instant;
  readonly actionable: boolean | null;
  readonly dead_on_arrival: boolean | null;
  readonly available: boolean;
  readonly api_deindex_supported: boolean;
}

/** `faviconTemplate` holds `{domain}`; without one there are no favicons (D50). */
export const publicCase = (row: CaseRow, faviconTemplate: string | undefined): PublicCase => {
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
    simulated: false,
    created_at: finding.createdAt,
    source: hasProvenance ? 'api_scan' : 'svc',
    leak_id: leakId,
    updated_at: finding.updatedAt,
    actionable: finding.actionable,
    dead_on_arrival: finding.deadOnArrival,
    available,
    api_deindex_supported: hasProvenance,
  };
};

/** Empty where the native record holds no URL of the web (D50). A final dot does not change which host it is. */
export const domainOf = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const { protocol, hostname } = new URL(url);
  return WEB.has(protocol) ? hostname.replace(FINAL_DOTS, '') : '';
};

/** From its first dot only: a search from each dot of a long row takes a time that grows with its square. */
const FINAL_DOTS = /(?<!\.)\.+$/;

const WEB: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:']);
