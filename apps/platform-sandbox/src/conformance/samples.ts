import { contractOperation, contractOperations } from '../contract/document.js';
import type { ContractRequest } from './contract-client.js';

const UNKNOWN_USER = '00000000-0000-4000-8000-000000000000';
export const UNKNOWN = 'conformance-unknown';

const PATH = { agency_id: UNKNOWN, user_id: UNKNOWN_USER, invitation_id: UNKNOWN, job_id: UNKNOWN };

export function inviteBody(reference: string) {
  return {
    reference,
    email: `${reference}@conformance.example`,
    first_name: 'Con',
    last_name: 'Formance',
    locale: 'en',
    display_name: 'Conformance Check',
  };
}

export function scanBody(reference: string, agency_id: string, user_id: string) {
  const handles = [{ platform: 'x', username: 'conformance_check', variants: ['conformance'] }];
  return { reference, agency_id, user_id, handles };
}

export function billingBody(reference: string) {
  return { reference, return_url: 'https://api.conformance.example/dashboard/billing' };
}

const OPTIONAL = new Set(['listPaymentMethods', 'createBillingSession']);

export const requiredOperations = contractOperations.filter(({ id }) => !OPTIONAL.has(id));

const BODIES: Readonly<Record<string, (reference: string) => object>> = {
  invite: inviteBody,
  dispatchScan: (reference) => scanBody(reference, UNKNOWN, UNKNOWN_USER),
  submitDeindex: (reference) => {
    const url = 'https://host.example/';
    return { reference, agency_id: UNKNOWN, user_id: UNKNOWN_USER, leak_id: UNKNOWN, url };
  },
  reportImpersonation: (reference) => ({ reference, url: 'https://instagram.com/conformance_check' }),
  createBillingSession: billingBody,
  updateIdentity: () => ({ display_name: 'Conformance Check' }),
};

/** A well-formed request for each operation, about records that do not exist. */
export function sampleRequest(operationId: string, reference: string): ContractRequest {
  const { parameters } = contractOperation(operationId);
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  return {
    path: PATH,
    ...(takes('Idempotency-Key') && { key: reference }),
    ...(takes('Fence') && { fence: 1 }),
    ...(takes('reference') && { query: { reference } }),
    body: BODIES[operationId]?.(reference),
  };
}
