import type { BillingPage, PaymentMethod } from '#agencies';
import {
  ContractViolation,
  type Fields,
  fieldsOf,
  flag,
  identifier,
  integer,
  label,
  optional,
  orNull,
  textUpTo,
  url,
} from '../fields.js';
import { type Records, recordsOf } from './page.js';

const MAX_METHODS = 100;
const methodLabel = textUpTo(100);
/** A card number has 12 digits or more, and other account numbers too. */
const FULL_NUMBER = /\d(?:[ .-]?\d){11}/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const month = (fields: Fields, name: string): string => {
  const value = label(fields, name);
  if (!MONTH.test(value)) throw new ContractViolation(`${name} is no month`);
  return value;
};

const parsePaymentMethod = (record: Fields): PaymentMethod => {
  const shown = methodLabel(record, 'label');
  if (FULL_NUMBER.test(shown)) throw new ContractViolation('label has a full number');
  return {
    id: identifier(record, 'id'),
    kind: label(record, 'kind'),
    label: shown,
    expires: optional(orNull(month))(record, 'expires'),
    isDefault: flag(record, 'is_default'),
  };
};

export const parsePaymentMethods = (body: unknown): Records<PaymentMethod, string> =>
  recordsOf(fieldsOf(body), MAX_METHODS, (record) => identifier(record, 'id'), parsePaymentMethod);

/** Encrypted, unless the platform is on this machine: people sign in there. */
export const parseBillingPage = (body: unknown): BillingPage => {
  const fields = fieldsOf(body);
  const address = url(fields, 'url');
  const { protocol, hostname, username, password } = URL.parse(address) ?? {};
  const isEncrypted = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname ?? ''));
  if (!isEncrypted || username !== '' || password !== '') throw new ContractViolation('url is no https page');
  return { url: address, expiresAt: integer(fields, 'expires_at') };
};
