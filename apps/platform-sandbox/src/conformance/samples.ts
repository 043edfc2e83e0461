import { contractOperations } from '../contract/document.js';
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

/** A platform may lack them. */
const OPTIONAL = new Set(['listPaymentMethods', 'createBillingSession']);

export const requiredOperations = contractOperations.filter(({ id }) => !OPTIONAL.has(id));

/** A well-formed request for each operation, about records that do not exist. */
export function sampleRequest(operationId: string, reference: string): ContractRequest {
  const request = { path: PATH, key: reference };
  switch (operationId) {
    case 'invite':
      return { ...request, body: inviteBody(reference) };
    case 'dispatchScan':
      return { ...request, body: scanBody(reference, UNKNOWN, UNKNOWN_USER) };
    case 'submitDeindex':
      return {
        ...request,
        body: { reference, agency_id: UNKNOWN, user_id: UNKNOWN_USER, leak_id: UNKNOWN, url: 'https://host.example/' },
      };
    case 'reportImpersonation':
      return { ...request, body: { reference, url: 'https://instagram.com/conformance_check' } };
    case 'createBillingSession':
      return { ...request, body: billingBody(reference) };
    case 'resendInvitation':
      return request;
    case 'updateIdentity':
      return { path: PATH, body: { display_name: 'Conformance Check' } };
    case 'occupySlot':
    case 'releaseSlot':
      return { path: PATH, fence: 1 };
    case 'findInvitation':
    case 'findScanJob':
    case 'findDeindexSubmission':
      return { path: PATH, query: { reference } };
    default:
      return { path: PATH };
  }
}
