import { setTimeout as wait } from 'node:timers/promises';
import type { Leak, ScanJob } from '../../contract/types.js';
import type { Check } from '../check.js';
import { scanBody } from '../samples.js';
import { equal, expect, Skipped } from '../verdict.js';
import { walk } from '../walk.js';
import { type Repeatable, repeatChecks } from './repeats.js';

const JOB_TIMEOUT = 30_000;
const POLL_INTERVAL = 100;

const dispatching: Repeatable = {
  operation: 'dispatchScan',
  status: 202,
  idField: 'job_id',
  async request({ discovery, run }, label) {
    const reference = `${run}-scan-${label}`;
    const { user_id } = await discovery.creator();
    return { key: reference, body: scanBody(reference, discovery.agencyId, user_id) };
  },
  otherBody: (body) => ({ ...body, handles: [{ platform: 'x', username: 'someone_else', variants: [] }] }),
};

export const scanJobChecks: readonly Check[] = [
  {
    name: 'a refused dispatchScan, such as one without handles, is not remembered',
    async verify(subject) {
      const request = await dispatching.request(subject, 'empty');
      const empty = { ...request, body: { ...(request.body as object), handles: [] } };
      await subject.client.mayRefuse('dispatchScan', empty);
      await subject.client.get('dispatchScan', 202, request);
    },
  },
  {
    name: 'dispatchScan may refuse three variants, and ones that are too short or too long',
    async verify(subject) {
      const request = await dispatching.request(subject, 'variants');
      for (const variants of [['aa', 'bb', 'cc'], ['a'], ['x'.repeat(61)]]) {
        const body = { ...(request.body as object), handles: [{ platform: 'x', username: 'someone', variants }] };
        await subject.client.mayRefuse('dispatchScan', { ...request, body });
      }
    },
  },
  {
    name: 'a scan job can be found, and its leaks are listed once it reads as completed',
    async verify(subject) {
      const { client, discovery } = subject;
      const request = await dispatching.request(subject, 'life');
      const { job_id, reference } = await client.get<ScanJob>('dispatchScan', 202, request);
      equal(reference, request.key, 'reference');
      const found = await client.get<{ data: ScanJob[] }>('findScanJob', 200, { query: { reference } });
      equal(
        found.data.map((job) => job.job_id),
        [job_id],
        'findScanJob',
      );
      const other = { reference: `${reference}-other` };
      equal(await client.get('findScanJob', 200, { query: other }), { data: [] }, 'another reference');
      const deadline = Date.now() + JOB_TIMEOUT;
      let job = await client.get<ScanJob>('getScanJob', 200, { path: { job_id } });
      while (job.status === 'queued' || job.status === 'running') {
        equal(job.finished_at, null, 'finished_at of an open job');
        if (Date.now() > deadline) throw new Skipped(`the job did not end within ${JOB_TIMEOUT} ms`);
        await wait(POLL_INTERVAL);
        job = await client.get<ScanJob>('getScanJob', 200, { path: { job_id } });
      }
      expect(job.finished_at !== null, 'an ended job has finished_at');
      const path = await discovery.path();
      const listed = await walk<Leak>(client, 'listLeaks', path, { limit: 200 });
      await wait(POLL_INTERVAL);
      const later = await walk<Leak>(client, 'listLeaks', path, { limit: 200 });
      const ofJob = (leaks: Leak[]) => leaks.filter((leak) => leak.job_id === job_id).map((leak) => leak.leak_id);
      equal(ofJob(later), ofJob(listed), 'leaks of the job, listed later');
    },
  },
  ...repeatChecks(dispatching),
];
