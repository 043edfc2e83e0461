import { MINUTE } from '#kernel';
import type { PaymentMethod } from '../contract/types.js';
import { bodyOf, type Operations, ok } from '../operation.js';
import { notFound, Refusal, unprocessable } from '../refusal.js';
import type { AgencyRecord, BillingSessionRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { agencyOf } from './membership.js';

const VALID_FOR = 15 * MINUTE;
const MAX_METHODS = 100;

export const billingOperations: Operations = {
  listPaymentMethods: (world, { agencyId }) => ok({ data: offeredTo(world, agencyId).payment_methods ?? [] }),

  createBillingSession(world, call) {
    const { id: agency_id } = offeredTo(world, call.agencyId);
    const { return_url } = bodyOf<{ return_url: string }>(call);
    if (!/^https?:$/.test(new URL(return_url).protocol)) {
      throw unprocessable('return_url_rejected', 'The return address is no web page.');
    }
    const id = world.newId('bill');
    const { expires_at } = world.billingSessions.put({
      id,
      agency_id,
      return_url,
      expires_at: world.now() + VALID_FOR,
    });
    return { status: 201, body: { url: call.origin + billingPath(id), expires_at } };
  },
};

/** The contract's billing operations are optional: a control takes them away from an agency. */
function offeredTo(world: World, agencyId: string): AgencyRecord {
  const agency = agencyOf(world, agencyId);
  if (agency.billing_offered === false) {
    throw new Refusal(404, 'not_offered', 'This platform shows no payment methods.');
  }
  return agency;
}

export const billingPath = (sessionId: string) => `/billing/${sessionId}`;

/** The session of a hosted page, while it is valid. */
export function billingSession(world: World, id: string): BillingSessionRecord {
  const session = world.billingSessions.get(id);
  if (!session || session.expires_at <= world.now()) throw notFound('billing page');
  return session;
}

/** The payment methods that the hosted page offers, because nobody types a number into a sandbox. */
export const SAMPLE_METHODS: readonly Omit<PaymentMethod, 'id' | 'is_default'>[] = [
  { kind: 'card', label: 'Visa •••• 4242', expires: '2029-04' },
  { kind: 'card', label: 'Mastercard •••• 4444', expires: '2028-11' },
  { kind: 'sepa_debit', label: 'SEPA direct debit •••• 3000', expires: null },
];

/** Handles the hosted page: adds a sample by its number, removes a method, or makes one the default. */
export function changeMethods(world: World, agencyId: string, action: string, choice: string): void {
  const agency = agencyOf(world, agencyId);
  const methods = agency.payment_methods ?? [];
  const isKnown = methods.some(({ id }) => id === choice);
  const sample = SAMPLE_METHODS[Number(choice)];
  let payment_methods = methods;
  if (action === 'add' && sample && methods.length < MAX_METHODS) {
    payment_methods = [...methods, { ...sample, id: world.newId('pm'), is_default: false }];
  }
  if (action === 'remove') payment_methods = methods.filter(({ id }) => id !== choice);
  if (action === 'default' && isKnown) {
    payment_methods = methods.map((method) => ({ ...method, is_default: method.id === choice }));
  }
  world.agencies.put({ ...agency, payment_methods: withDefault(payment_methods) });
}

/** Where none is the default, the first one becomes it. */
function withDefault(methods: PaymentMethod[]): PaymentMethod[] {
  if (methods.some(({ is_default }) => is_default)) return methods;
  return methods.map((method, at) => ({ ...method, is_default: at === 0 }));
}
