import type { PublicActivity, PublicCase } from '#cases';
import { EXAMPLE } from '../transport/example-values.js';

const { caseId, scanId, creatorId, createdAt, updatedAt } = EXAMPLE;

export const CASE: PublicCase = {
  id: caseId,
  scan_id: scanId,
  creator_id: creatorId,
  status: 'Détecté',
  status_code: 'detected',
  url: 'https://mirror-vault.example/fansly/ivycalloway/6bd59ffd-1',
  domain: 'mirror-vault.example',
  favicon_url: null,
  simulated: false,
  created_at: createdAt,
  source: 'api_scan',
  leak_id: 'leak-90412',
  updated_at: updatedAt,
  actionable: true,
  dead_on_arrival: false,
  available: true,
  api_deindex_supported: true,
};

export const ACTIVITY: PublicActivity = {
  id: 'act-20418',
  type: 'notice.sent',
  occurred_at: updatedAt,
  timestamp_basis: 'recorded',
  leak_id: CASE.leak_id,
  url: CASE.url,
  status: 'Notification envoyée',
  status_code: 'notice_sent',
  simulated: false,
};
