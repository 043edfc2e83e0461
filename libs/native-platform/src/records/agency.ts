import { type BillingPage, KYC_STATUSES, type NativeAgency, type PaymentMethod } from '#agencies';
import type { NativeCapacity, SlotPage } from '#creators';
import type { AgencyId, UserId } from '#kernel';
import {
  ContractViolation,
  count,
  fence,
  flag,
  identifier,
  integer,
  label,
  oneOf,
  read,
  record,
  same,
  text,
  textUpTo,
  url,
  userId,
} from '../schemas.js';
import { nextUserOf, type Records, recordsOf } from './page.js';

const agency = record({
  id: identifier,
  name: label,
  onboarding_complete: flag,
  kyc_status: oneOf(KYC_STATUSES),
  owner_user_id: userId,
});

export const parseAgency =
  (asked: AgencyId) =>
  (body: unknown): NativeAgency => {
    const found = read(agency, body);
    same('id', found.id, asked);
    return { ...found, id: asked };
  };

const capacity = record({
  plan: label,
  subscription_status: label,
  protection_eligible: flag,
  total_slots: count,
  occupied_slots: count,
  reserved_slots: count,
  api_included: flag,
});

export const parseCapacity = (body: unknown): NativeCapacity => read(capacity, body);

const slot = record({ user_id: userId, fence });

/** A page with a record that cannot be read is refused as a whole: a slot that is left out would count as missing. */
export const parseSlotPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): SlotPage => {
    const { records, refused, ids } = recordsOf(body, limit, { record: slot, idName: 'user_id', id: userId });
    const [unreadable] = refused;
    if (unreadable !== undefined) throw new ContractViolation(unreadable.reason);
    return { slots: records, nextCursor: nextUserOf(body, ids, after) };
  };

const MAX_METHODS = 100;
/** A card number has 12 digits or more, and other account numbers too. */
const FULL_NUMBER = /\d(?:[ .-]?\d){11}/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const paymentMethod = record({
  id: identifier,
  kind: label,
  label: textUpTo(100).refine((shown) => !FULL_NUMBER.test(shown), 'free of full numbers'),
  expires: text.regex(MONTH, 'a month').nullish(),
  is_default: flag,
});

export const parsePaymentMethods = (body: unknown): Records<PaymentMethod, string> =>
  recordsOf(body, MAX_METHODS, { record: paymentMethod, idName: 'id', id: identifier });

/** Encrypted, unless the platform is on this machine: people sign in there. */
const isSecurePage = (address: string): boolean => {
  const { protocol, hostname, username, password } = URL.parse(address) ?? {};
  const isEncrypted = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname ?? ''));
  return isEncrypted && username === '' && password === '';
};

const billingPage = record({ url: url.refine(isSecurePage, 'an https page'), expires_at: integer });

export const parseBillingPage = (body: unknown): BillingPage => read(billingPage, body);
