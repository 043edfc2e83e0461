import type { DeindexSubmission, Impersonation } from '../../contract/types.js';
import type { Check } from '../check.js';
import { equal, expect, Skipped } from '../verdict.js';
import { type Repeatable, repeatChecks } from './repeats.js';

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
  {
    name: 'reportImpersonation lists the case it opens',
    async verify(subject) {
      const { client, discovery } = subject;
      const request = await reporting.request(subject, 'life');
      const opened = await client.get<Impersonation>('reportImpersonation', 201, request);
      const listed = await discovery.impersonations(await discovery.path());
      expect(
        listed.some((one) => one.impersonation_id === opened.impersonation_id),
        'the case is listed',
      );
    },
  },
  {
    name: 'a refused reportImpersonation is not remembered',
    async verify(subject) {
      const request = await reporting.request(subject, 'refused');
      const body = { reference: request.key, url: 'https://no-social-host.example/someone' };
      await subject.client.mayRefuse('reportImpersonation', { ...request, body });
      await subject.client.get<Impersonation>('reportImpersonation', 201, request);
    },
  },
  {
    name: 'a deindex submission starts without claims and can be found',
    async verify(subject) {
      const request = await submitting.request(subject, 'life');
      const { status, code, body } = await subject.client.call('submitDeindex', request);
      if (status === 422) throw new Skipped(`the provider refuses it: ${code}`);
      equal([status, code], [202, undefined], 'submitDeindex');
      const submission = body as DeindexSubmission;
      equal(submission.reference, request.key, 'reference');
      expect(submission.status === 'removed' || !submission.removal_verified, 'acceptance alone verifies no removal');
      const query = { reference: submission.reference };
      const found = await subject.client.get<{ data: DeindexSubmission[] }>('findDeindexSubmission', 200, { query });
      equal(
        found.data.map((one) => one.submission_id),
        [submission.submission_id],
        'findDeindexSubmission',
      );
      const other = { reference: `${submission.reference}-other` };
      equal(
        await subject.client.get('findDeindexSubmission', 200, { query: other }),
        { data: [] },
        'another reference',
      );
    },
  },
  ...repeatChecks(reporting),
  ...repeatChecks(submitting),
];

function impostor(name: string): string {
  return `https://instagram.com/${name.replaceAll('-', '_')}`;
}
