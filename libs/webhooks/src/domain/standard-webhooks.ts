import type { SigningKey } from './signing-key.js';

/**
 * The headers of Standard Webhooks, with a signature of each secret of the present form, in the order of the keys; none
 * if all secrets are of the earlier form (D102). https://github.com/standard-webhooks/standard-webhooks
 */
export const standardHeaders = (
  keys: readonly SigningKey[],
  id: string,
  timestampSeconds: number,
  body: Uint8Array,
): Readonly<Record<string, string>> => {
  const timestamp = String(timestampSeconds);
  const signatures = keys.flatMap((key) => key.signStandard(id, timestamp, body) ?? []);
  if (signatures.length === 0) return {};
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
};
