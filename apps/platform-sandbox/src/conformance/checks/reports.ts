import type { DeindexSubmission, Impersonation } from '../../contract/types.js';
import { type Check, check } from '../check.js';
import { equal, expect, expectFound, walk } from '../contract-client.js';
import { accepted, type Repeatable, repeatChecks } from './repeats.js';

const reporting: Repeatable = {
  operation: 'reportImpersonation',
  status: 201,
  idField: 'impersonation_id',
  async request({ discovery, run }, label) {
    const reference = `${run}-report-${label}`;
    return { path: await discovery.path(), key: reference, body: { reference, url: impostor(reference) } };
  },
  otherBody: (body) => ({ ...body, url: impostor('someone_else') }),
};

const submitting: Repeatable = {
  operation: 'submitDeindex',
  status: 202,
  idField: 'submission_id',
  async request({ discovery, run }, label) {
    const reference = `${run}-deindex-${label}`;
    const { user_id, leak } = await discovery.deindexable();
    const { leak_id, url } = leak;
    return { key: reference, body: { reference, agency_id: discovery.agencyId, user_id, leak_id, url } };
  },
  otherBody: (body) => ({ ...body, url: `${body.url}?other` }),
};

export const reportChecks: readonly Check[] = [
  check('reportImpersonation lists the case it opens', async (subject) => {
    const { client, discovery } = subject;
    const request = await reporting.request(subject, 'life');
    const opened = await client.get<Impersonation>('reportImpersonation', 201, request);
    const listed = await walk<Impersonation>(client, 'listImpersonations', await discovery.path());
    expect(
      listed.some((one) => one.impersonation_id === opened.impersonation_id),
      'the case is listed',
    );
  }),

  check('a refused reportImpersonation is not remembered', async (subject) => {
    const request = await reporting.request(subject, 'refused');
    const body = { reference: request.key, url: 'https://no-social-host.example/someone' };
    await subject.client.mayRefuse('reportImpersonation', { ...request, body });
    await subject.client.get<Impersonation>('reportImpersonation', 201, request);
  }),

  check('a deindex submission starts without claims and can be found', async (subject) => {
    const request = await submitting.request(subject, 'life');
    const submission = await accepted<DeindexSubmission>(subject, submitting, request);
    const { submission_id, reference, status, removal_verified } = submission;
    equal(reference, request.key, 'reference');
    expect(status === 'removed' || !removal_verified, 'acceptance alone verifies no removal');
    await expectFound(subject.client, 'findDeindexSubmission', { submission_id, reference });
  }),

  ...repeatChecks(reporting),
  ...repeatChecks(submitting),
];

function impostor(name: string): string {
  return `https://instagram.com/${name.replaceAll('-', '_')}`;
}
