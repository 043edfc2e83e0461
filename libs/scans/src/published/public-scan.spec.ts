import { describe, expect, it } from '@jest/globals';
import { agencyId, derivedId } from '#kernel';
import { at, folded, type Past } from '#testing';
import type { ScanEvent } from '../domain/scan.events.js';
import { scanDecider } from '../domain/scan.js';
import { publicScan } from './public-scan.js';

const about = { scanId: derivedId('scan', 'one'), creatorId: derivedId('creator', 'mia') };
const agency = agencyId('ag_lumen');
const queued = (source: 'manual' | 'scheduled'): ScanEvent => ({
  type: 'scan.queued.v1',
  data: { ...about, agencyId: agency, workspaceId: derivedId('workspace', agency), source },
});
const dispatching: ScanEvent = { type: 'scan.dispatchStarted.v1', data: { ...about, personal: { handles: [] } } };
const accepted: ScanEvent = { type: 'scan.accepted.v1', data: { ...about, jobId: 'job-1' } };
const started: ScanEvent = { type: 'scan.started.v1', data: { ...about, jobId: 'job-1' } };
const uncertain: ScanEvent = { type: 'scan.outcomeLost.v1', data: about };
const ended = (
  how: 'completed' | 'failed' | 'cancelled',
  errorCode: string | null,
  jobId: string | null = 'job-1',
): ScanEvent => ({ type: `scan.${how}.v1`, data: { ...about, jobId, finishedAt: 9_000, errorCode } });

const shown = (past: Past<ScanEvent>) => {
  const scan = folded(scanDecider, past);
  if (scan.status === 'unknown') throw new Error('no scan');
  return publicScan(scan);
};

describe('the Scan as agencies see it', () => {
  it("has exactly the members of the specification's table", () => {
    expect(shown([at(5_000, queued('manual'))])).toStrictEqual({
      id: about.scanId,
      creator_id: about.creatorId,
      status: 'queued',
      source: 'manual',
      created_at: 5_000,
      finished_at: null,
      error_code: null,
      svc_job_id: null,
      simulated: false,
    });
  });

  it.each<[string, ScanEvent[], string | null, number | null, string | null]>([
    ['dispatching', [dispatching], null, null, null],
    ['dispatching', [dispatching, accepted], 'job-1', null, null],
    ['running', [dispatching, started], 'job-1', null, null],
    ['uncertain', [dispatching, uncertain], null, null, null],
    ['uncertain', [dispatching, started, uncertain], 'job-1', null, null],
    ['completed', [dispatching, started, ended('completed', null)], 'job-1', 9_000, null],
    ['failed', [dispatching, ended('failed', 'engine_rejected', null)], null, 9_000, 'engine_rejected'],
    ['cancelled', [ended('cancelled', 'protection_paused', null)], null, 9_000, 'protection_paused'],
  ])('shows %s (%#) with job, end and error', (status, events, jobId, finishedAt, errorCode) => {
    expect(shown([queued('scheduled'), ...events])).toMatchObject({
      status,
      source: 'scheduled',
      svc_job_id: jobId,
      finished_at: finishedAt,
      error_code: errorCode,
    });
  });

  it('keeps its creation time after all later events', () => {
    expect(shown([at(5_000, queued('manual')), at(6_000, dispatching), at(7_000, started)]).created_at).toBe(5_000);
  });
});
