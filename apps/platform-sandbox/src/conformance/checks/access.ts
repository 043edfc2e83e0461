import type { Check } from '../check.js';
import { requiredOperations, sampleRequest } from '../samples.js';
import { equal, expect } from '../verdict.js';

/** Without an agency in the path there is none to be unknown. */
const FINDS_NOTHING = new Set(['findScanJob', 'findDeindexSubmission']);
/** An engine and a search provider need not know the agencies and their creators. */
const KNOW_NO_AGENCY = new Set(['dispatchScan', 'submitDeindex']);
/** Nothing is found, and no slot is held, in an agency that does not exist either. */
const NONE_IS_AN_ANSWER: Readonly<Record<string, number>> = { findInvitation: 200, releaseSlot: 204 };
const UNAUTHORIZED = [401, 403];

export const accessChecks: readonly Check[] = [
  ...requiredOperations.map(
    ({ id }): Check => ({
      name: `${id} refuses a missing token`,
      verify: ({ client, run }) =>
        client.refused(id, UNAUTHORIZED, undefined, { ...sampleRequest(id, `${run}-auth`), token: null }),
    }),
  ),
  ...requiredOperations.map(
    ({ id }): Check => ({
      name: `${id} refuses a wrong token`,
      verify: ({ client, run }) =>
        client.refused(id, UNAUTHORIZED, undefined, { ...sampleRequest(id, `${run}-auth`), token: 'wrong' }),
    }),
  ),
  ...requiredOperations
    .filter(({ id }) => !KNOW_NO_AGENCY.has(id))
    .map(
      ({ id }): Check => ({
        name: FINDS_NOTHING.has(id)
          ? `${id} finds nothing by an unknown reference`
          : `${id} does not find an unknown record`,
        async verify({ client, run }) {
          const request = sampleRequest(id, `${run}-unknown`);
          const { status, code, body } = await client.call(id, request);
          if (FINDS_NOTHING.has(id)) equal([status, body], [200, { data: [] }], id);
          else if (status !== NONE_IS_AN_ANSWER[id]) equal([status, code], [404, 'not_found'], id);
          else if (status === 200) equal(body, { data: [] }, id);
        },
      }),
    ),
  {
    name: 'records of a known agency that do not exist are not found',
    async verify({ client, discovery, run }) {
      for (const { id, path } of requiredOperations) {
        if (!path.includes('{agency_id}/')) continue;
        const request = sampleRequest(id, `${run}-unknown`);
        if (!path.includes('user_id') && !path.includes('invitation_id')) continue;
        if (id === 'releaseSlot') continue;
        await client.refused(id, 404, 'not_found', {
          ...request,
          path: { ...request.path, agency_id: discovery.agencyId },
        });
      }
    },
  },
  {
    name: 'releasing the slot of somebody unknown is 204, as of one that holds none, or 404',
    async verify({ client, discovery, run }) {
      const request = sampleRequest('releaseSlot', `${run}-unknown`);
      const path = { ...request.path, agency_id: discovery.agencyId };
      const { status, code } = await client.call('releaseSlot', { path, fence: 1 });
      expect(status === 204 || (status === 404 && code === 'not_found'), `answered ${status} ${code}`);
    },
  },
  {
    name: 'findInvitation finds nothing by an unknown reference',
    async verify({ client, discovery, run }) {
      const request = { path: { agency_id: discovery.agencyId }, query: { reference: `${run}-unknown` } };
      equal(await client.get('findInvitation', 200, request), { data: [] }, 'findInvitation');
    },
  },
];
