import { type Check, check } from '../check.js';
import { equal, expect } from '../contract-client.js';
import { requiredOperations, sampleRequest } from '../samples.js';

/** Without an agency in the path, no agency can be unknown. */
const FINDS_NOTHING = new Set(['findScanJob', 'findDeindexSubmission']);
/** An engine and a search provider need not know the agencies and their creators. */
const KNOW_NO_AGENCY = new Set(['dispatchScan', 'submitDeindex']);
/** An agency that does not exist has no records and holds no slots. */
const NONE_IS_AN_ANSWER: Readonly<Record<string, number>> = { findInvitation: 200, releaseSlot: 204 };

const lookups = requiredOperations.filter(({ id }) => id.startsWith('find'));
const operationsOnRecords = requiredOperations.filter(
  ({ id, path }) => /\{(user|invitation)_id\}/.test(path) && id !== 'releaseSlot',
);

export const accessChecks: readonly Check[] = [
  ...Object.entries({ missing: null, wrong: 'wrong' }).flatMap(([kind, token]) =>
    requiredOperations.map(({ id }) =>
      check(`${id} refuses a ${kind} token`, ({ client, run }) =>
        client.refused(id, { ...sampleRequest(id, `${run}-auth`), token }, [401, 403]),
      ),
    ),
  ),

  ...requiredOperations
    .filter(({ id }) => !KNOW_NO_AGENCY.has(id))
    .map(({ id }) => {
      const expectation = FINDS_NOTHING.has(id)
        ? 'finds nothing by an unknown reference'
        : 'does not find an unknown record';
      return check(`${id} ${expectation}`, async ({ client, run }) => {
        const { status, code, body } = await client.call(id, sampleRequest(id, `${run}-unknown`));
        if (FINDS_NOTHING.has(id)) equal([status, body], [200, { data: [] }], id);
        else if (status !== NONE_IS_AN_ANSWER[id]) equal([status, code], [404, 'not_found'], id);
        else if (status === 200) equal(body, { data: [] }, id);
      });
    }),

  check('records of a known agency that do not exist are not found', async ({ client, discovery, run }) => {
    for (const { id } of operationsOnRecords) {
      const request = sampleRequest(id, `${run}-unknown`);
      const path = { ...request.path, agency_id: discovery.agencyId };
      await client.refused(id, { ...request, path }, [404], 'not_found');
    }
  }),

  check('releasing the slot of somebody unknown is 204, as of one that holds none, or 404', async (subject) => {
    const { client, discovery, run } = subject;
    const request = sampleRequest('releaseSlot', `${run}-unknown`);
    const path = { ...request.path, agency_id: discovery.agencyId };
    const { status, code } = await client.call('releaseSlot', { path, fence: 1 });
    expect(status === 204 || (status === 404 && code === 'not_found'), `answered ${status} ${code}`);
  }),

  check('findInvitation finds nothing by an unknown reference', async ({ client, discovery, run }) => {
    const request = { path: { agency_id: discovery.agencyId }, query: { reference: `${run}-unknown` } };
    equal(await client.get('findInvitation', 200, request), { data: [] }, 'findInvitation');
  }),

  ...lookups.map(({ id }) =>
    check(`${id} may refuse a request without its reference`, ({ client, discovery }) =>
      client.mayRefuse(id, id === 'findInvitation' ? { path: { agency_id: discovery.agencyId } } : {}),
    ),
  ),
];
