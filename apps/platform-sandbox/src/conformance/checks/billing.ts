import type { BillingSession, PaymentMethod } from '../../contract/types.js';
import { type Check, check } from '../check.js';
import { type ContractRequest, equal, expect, Skipped } from '../contract-client.js';
import { billingBody, sampleRequest, UNKNOWN } from '../samples.js';
import { repeatChecks } from './repeats.js';

const OPERATIONS = ['listPaymentMethods', 'createBillingSession'] as const;
/** The contract leaves both operations to the platform: its own refusal, or a route that it does not have. */
const LACKING = [404, 405, 501];
const FULL_NUMBER = /\d(?:[ .-]?\d){11}/;
const WEB_PAGE = /^(?:https:\/\/|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])[:/])/;

const sample = (operationId: string, reference: string, agency_id: string): ContractRequest => ({
  ...sampleRequest(operationId, reference),
  path: { agency_id },
});

/** A check that is skipped if the platform lacks the operation. */
const offered = (operation: (typeof OPERATIONS)[number], name: string, verify: Check['verify']): Check =>
  check(`${operation} ${name}`, async (subject) => {
    const { client, discovery, run } = subject;
    const { status } = await client.call(operation, sample(operation, `${run}-offered`, discovery.agencyId));
    if (LACKING.includes(status)) throw new Skipped('the platform does not offer it');
    await verify(subject);
  });

const opened = repeatChecks({
  operation: 'createBillingSession',
  status: 201,
  idField: 'url',
  request: async ({ discovery, run }, label) => ({
    path: { agency_id: discovery.agencyId },
    key: `${run}-page-${label}`,
    body: billingBody(`${run}-page-${label}`),
  }),
  otherBody: (body) => ({ ...body, return_url: 'https://api.conformance.example/elsewhere' }),
});

export const billingChecks: readonly Check[] = [
  ...OPERATIONS.flatMap((operation) => [
    offered(operation, 'refuses a missing token', ({ client, discovery, run }) =>
      client.refused(operation, { ...sample(operation, `${run}-auth`, discovery.agencyId), token: null }, [401, 403]),
    ),
    offered(operation, 'does not find an unknown agency', ({ client, run }) =>
      client.refused(operation, sample(operation, `${run}-unknown`, UNKNOWN), [404]),
    ),
  ]),
  offered('listPaymentMethods', 'shows each method once, and no full number', async ({ client, discovery }) => {
    const path = { agency_id: discovery.agencyId };
    const { data } = await client.get<{ data: PaymentMethod[] }>('listPaymentMethods', 200, { path });
    equal(new Set(data.map(({ id }) => id)).size, data.length, 'different ids');
    expect(data.filter(({ is_default }) => is_default).length <= 1, 'at most one is the default');
    for (const { label } of data) expect(!FULL_NUMBER.test(label), 'a label has no full number');
  }),
  offered('createBillingSession', 'opens an https page that is still valid', async ({ client, discovery, run }) => {
    const request = sample('createBillingSession', `${run}-page`, discovery.agencyId);
    const page = await client.get<BillingSession>('createBillingSession', 201, request);
    expect(WEB_PAGE.test(page.url), 'the page is https, or http on loopback');
    expect(page.expires_at > Date.now(), 'the page is valid');
    const other = sample('createBillingSession', `${run}-page-2`, discovery.agencyId);
    const second = await client.get<BillingSession>('createBillingSession', 201, other);
    expect(second.url !== page.url, 'another key opens another page');
  }),
  ...opened.map(({ name, verify }) =>
    offered('createBillingSession', name.replace('createBillingSession ', ''), verify),
  ),
];
