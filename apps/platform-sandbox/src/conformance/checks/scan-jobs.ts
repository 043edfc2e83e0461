import { setTimeout as wait } from 'node:timers/promises';
import type { Leak, ScanJob } from '../../contract/types.js';
import { type Check, check } from '../check.js';
import { type ContractClient, equal, expect, expectFound, Skipped, walk } from '../contract-client.js';
import { scanBody } from '../samples.js';
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
  check('a refused dispatchScan, such as one without handles, is not remembered', async (subject) => {
    const request = await dispatching.request(subject, 'empty');
    const empty = { ...request, body: { ...(request.body as object), handles: [] } };
    await subject.client.mayRefuse('dispatchScan', empty);
    await subject.client.get('dispatchScan', 202, request);
  }),

  check('dispatchScan may refuse three variants, and ones that are too short or too long', async (subject) => {
    const request = await dispatching.request(subject, 'variants');
    for (const variants of [['aa', 'bb', 'cc'], ['a'], ['x'.repeat(61)]]) {
      const body = { ...(request.body as object), handles: [{ platform: 'x', username: 'someone', variants }] };
      await subject.client.mayRefuse('dispatchScan', { ...request, body });
    }
  }),

  check('a scan job can be found, and its leaks are listed once it reads as completed', async (subject) => {
    const { client, discovery } = subject;
    const request = await dispatching.request(subject, 'life');
    const { job_id, reference } = await client.get<ScanJob>('dispatchScan', 202, request);
    equal(reference, request.key, 'reference');
    await expectFound(client, 'findScanJob', { job_id, reference });
    const job = await ended(client, job_id);
    expect(job.finished_at !== null, 'an ended job has finished_at');
    const path = await discovery.path();
    const leaksOfJob = async () =>
      (await walk<Leak>(client, 'listLeaks', path))
        .filter((leak) => leak.job_id === job_id)
        .map((leak) => leak.leak_id);
    const listed = await leaksOfJob();
    await wait(POLL_INTERVAL);
    equal(await leaksOfJob(), listed, 'leaks of the job, listed later');
  }),

  ...repeatChecks(dispatching),
];

async function ended(client: ContractClient, job_id: string): Promise<ScanJob> {
  const deadline = performance.now() + JOB_TIMEOUT;
  for (;;) {
    const job = await client.get<ScanJob>('getScanJob', 200, { path: { job_id } });
    if (job.status !== 'queued' && job.status !== 'running') return job;
    equal(job.finished_at, null, 'finished_at of an open job');
    if (performance.now() > deadline) throw new Skipped(`the job did not end within ${JOB_TIMEOUT} ms`);
    await wait(POLL_INTERVAL);
  }
}
