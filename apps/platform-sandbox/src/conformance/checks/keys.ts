import type { Check } from '../check.js';
import { requiredOperations, sampleRequest, UNKNOWN } from '../samples.js';
import { Failed } from '../verdict.js';

const posts = requiredOperations.filter(({ method }) => method === 'POST').map(({ id }) => id);
const withReference = posts.filter((id) => id !== 'resendInvitation');
const finds = requiredOperations.map(({ id }) => id).filter((id) => id.startsWith('find'));

export const keyChecks: readonly Check[] = [
  ...posts.map(
    (id): Check => ({
      name: `${id} needs an Idempotency-Key`,
      verify({ client, run }) {
        const { key: _key, ...request } = sampleRequest(id, `${run}-none`);
        return client.refused(id, 400, undefined, request);
      },
    }),
  ),
  ...posts.map(
    (id): Check => ({
      name: `${id} refuses a key of 121 characters`,
      verify: ({ client, run }) => client.refused(id, 400, undefined, sampleRequest(id, run.padEnd(121, 'x'))),
    }),
  ),
  ...withReference.map(
    (id): Check => ({
      name: `${id} refuses a reference that is not the key`,
      verify: ({ client, run }) =>
        client.refused(id, 400, undefined, { ...sampleRequest(id, `${run}-one`), key: `${run}-other` }),
    }),
  ),
  ...withReference.map(
    (id): Check => ({
      name: `${id} refuses a body without its required members`,
      verify: ({ client, run }) =>
        client.refused(id, 400, undefined, { ...sampleRequest(id, `${run}-bare`), body: { reference: `${run}-bare` } }),
    }),
  ),
  ...finds.map(
    (id): Check => ({
      name: `${id} needs a reference`,
      verify: ({ client, discovery }) =>
        client.refused(id, 400, undefined, id === 'findInvitation' ? { path: { agency_id: discovery.agencyId } } : {}),
    }),
  ),
  {
    name: 'an unknown route is 404 in the error envelope',
    async verify({ client }) {
      for (const service of ['platform', 'engine', 'search'] as const) {
        const { status, code } = await client.raw(service, 'GET', `/${UNKNOWN}/route`);
        if (status !== 404 || code === undefined) throw new Failed(`${service} answered ${status} ${code}`);
      }
    },
  },
];
