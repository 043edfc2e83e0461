import { describe, expect, it } from '@jest/globals';
import { eventSummary } from './event-summary.js';
import type { PublicEventType } from './public-event.js';

const CASE = { case: { url: 'https://tube.example/watch' } };
const ACCOUNT = { impersonation: { platform: 'instagram', username: 'mia.real' } };

describe('The summary of an event', () => {
  it.each<[PublicEventType, object, string]>([
    ['protection.activated', { reason: 'api_request' }, 'Protection started: api request'],
    ['protection.paused', { reason: 'membership_ended' }, 'Protection stopped: membership ended'],
    ['scan.completed', {}, 'A scan finished'],
    ['scan.failed', { status: 'failed', reason: 'quota_reached' }, 'A scan failed: quota reached'],
    ['scan.failed', { status: 'failed' }, 'A scan failed'],
    ['creator.updated', { creator: { enrollment_status: 'linked', eligible: true } }, 'Now linked, eligible'],
    ['creator.updated', { creator: { enrollment_status: 'invited', eligible: false } }, 'Now invited, not eligible'],
    ['case.created', { status: 'Reported', ...CASE }, 'Found tube.example/watch'],
    ['case.updated', { status: 'Removed', ...CASE }, 'Removed: tube.example/watch'],
    ['case.updated', {}, 'Changed: a case'],
    ['case.deleted', { case_id: 'cas_1' }, 'The platform no longer shows a case'],
    ['deindex.status_changed', { status: 'submitted' }, 'Deindex request submitted'],
    [
      'deindex.status_changed',
      { status: 'completed', removal_verified: true },
      'Deindex request completed, removal verified',
    ],
    ['impersonation.created', ACCOUNT, 'Found mia.real on instagram'],
    ['impersonation.updated', { status: 'Removed', ...ACCOUNT }, 'Removed: mia.real on instagram'],
    ['impersonation.deleted', {}, 'The platform no longer shows an impersonation'],
  ])('of %s says what happened', (type, data, summary) => {
    expect(eventSummary(type, JSON.stringify({ data }))).toBe(summary);
  });
});
