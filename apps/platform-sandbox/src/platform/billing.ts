import { MINUTE } from '#kernel';
import type { BillingSession, PaymentMethod } from '../contract/types.js';
import { bodyOf, type Operation, ok } from '../operation.js';
import { notFound, Refusal } from '../refusal.js';
import type { AgencyRecord, BillingSessionRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { agencyOf } from './membership.js';

const VALID_FOR = 15 * MINUTE;
const MAX_METHODS = 100;

/** What a person can add on the hosted page: nobody types a number into a sandbox. */
export const SAMPLE_METHODS: readonly Omit<PaymentMethod, 'id' | 'is_default'>[] = [
  { kind: 'card', label: 'Visa •••• 4242', expires: '2029-04' },
  { kind: 'card', label: 'Mastercard •••• 4444', expires: '2028-11' },
  { kind: 'sepa_debit', label: 'SEPA direct debit •••• 3000', expires: null },
];

export const listPaymentMethods: Operation = (world, { agencyId }) =>
  ok({ data: methodsOf(offeredTo(world, agencyId)) });

export const createBillingSession: Operation = (world, call) => {
  const { id: agency_id } = offeredTo(world, call.agencyId);
  const { return_url } = bodyOf<{ return_url: string }>(call);
  if (!/^https?:$/.test(new URL(return_url).protocol)) {
    throw new Refusal(422, 'return_url_rejected', 'The return address is no web page.');
  }
  const session = world.billingSessions.put({
    id: world.newId('bill'),
    agency_id,
    return_url,
    expires_at: world.now() + VALID_FOR,
  });
  const url = `${call.origin}${billingPath(session.id)}`;
  return { status: 201, body: { url, expires_at: session.expires_at } satisfies BillingSession };
};

export const billingPath = (sessionId: string) => `/billing/${sessionId}`;

/** The session of a hosted page, while it is valid. */
export function billingSession(world: World, id: string): BillingSessionRecord {
  const session = world.billingSessions.get(id);
  if (!session || session.expires_at <= world.now()) throw notFound('billing page');
  return session;
}

export function methodsOf({ payment_methods = [] }: AgencyRecord): PaymentMethod[] {
  return payment_methods;
}

/** The first one becomes the default. */
export function addMethod(world: World, agencyId: string, sample: number): void {
  const agency = agencyOf(world, agencyId);
  const known = methodsOf(agency);
  const chosen = SAMPLE_METHODS[sample];
  if (!chosen || known.length >= MAX_METHODS) return;
  keep(world, agency, [...known, { ...chosen, id: world.newId('pm'), is_default: known.length === 0 }]);
}

/** Where the default goes, the first of the others takes its place. */
export function removeMethod(world: World, agencyId: string, id: string): void {
  const agency = agencyOf(world, agencyId);
  const others = methodsOf(agency).filter((method) => method.id !== id);
  const hasDefault = others.some(({ is_default }) => is_default);
  keep(
    world,
    agency,
    others.map((method, at) => (hasDefault || at > 0 ? method : { ...method, is_default: true })),
  );
}

export function makeDefault(world: World, agencyId: string, id: string): void {
  const agency = agencyOf(world, agencyId);
  const methods = methodsOf(agency);
  if (!methods.some((method) => method.id === id)) return;
  keep(
    world,
    agency,
    methods.map((method) => ({ ...method, is_default: method.id === id })),
  );
}

function keep(world: World, agency: AgencyRecord, payment_methods: PaymentMethod[]): void {
  world.agencies.put({ ...agency, payment_methods });
}

/** The contract's billing operations are optional: a control takes them away from an agency. */
function offeredTo(world: World, agencyId: string): AgencyRecord {
  const agency = agencyOf(world, agencyId);
  if (agency.billing_offered === false) {
    throw new Refusal(404, 'not_offered', 'This platform shows no payment methods.');
  }
  return agency;
}
