import { beforeEach, expect, it } from '@jest/globals';
import { FindScansOfJobs } from '#cases';
import { derivedId, streamName } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import type { ScanEvent } from '../domain/scan.events.js';
import { FindScansOfJobsHandler, type ScanJobDocument, scanJobsProjection } from './scan-jobs.js';

const creatorId = derivedId('creator', 'mia');
const scanId = derivedId('scan', 'one');

let projecting: Projecting<ScanJobDocument, ScanEvent>;
let handler: FindScansOfJobsHandler;
beforeEach(() => {
  projecting = new Projecting(scanJobsProjection);
  handler = new FindScansOfJobsHandler(projecting.readModel);
});

const scansOf = (...jobIds: string[]) => handler.execute(new FindScansOfJobs(jobIds));
const record = (name: 'accepted' | 'started', jobId: string) =>
  projecting.record(streamName('scan', scanId), {
    type: `scan.${name}.v1`,
    data: { scanId, creatorId, jobId },
  } satisfies ScanEvent);

it.each(['accepted', 'started'] as const)('knows whose a job is from when it was %s', async (name) => {
  await record(name, 'job-1');
  expect(await scansOf('job-1', 'job-2')).toEqual(
    new Map([['job-1', { id: 'job-1', scanId, creatorId, position: 2 }]]),
  );
});

it('knows every job of a scan that had several', async () => {
  await record('accepted', 'job-1');
  await record('started', 'job-2');
  expect([...(await scansOf('job-1', 'job-2')).keys()].sort()).toEqual(['job-1', 'job-2']);
});

it('asks nothing for no jobs', async () => {
  expect(await scansOf()).toEqual(new Map());
});
