import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { verifyWebhook } from '#client/webhooks';
import { SIGNATURE_HEADER } from '#webhooks';
import { BODY, deliveries, headersBy, type SignedDelivery, TOLERANCE_SECONDS } from './deliveries.js';

const { signature: stripe } = Stripe.webhooks;
if (stripe === null) throw new Error('stripe verifies no signatures');

const verifyByStripe = ({ headers, secret, body }: SignedDelivery) =>
  stripe.verifyHeader(body, headers[SIGNATURE_HEADER] ?? '', secret, TOLERANCE_SECONDS);

const LIBRARIES: readonly (readonly [string, (delivery: SignedDelivery) => unknown])[] = [
  ['standardwebhooks (D102)', ({ headers, secret, body }) => new Webhook(secret).verify(body, headers)],
  ['stripe (D61)', verifyByStripe],
  ['@creator-protection/client', ({ headers, secret, body }) => verifyWebhook(body, headers, secret)],
];

// Other people's libraries, unchanged, and ours: an agency that has one writes no code for this.
describe.each(LIBRARIES)('the npm package %s and a delivery', (_name, verify) => {
  test.each(deliveries())('%s: genuine is %s', async (_what, isGenuine, delivery) => {
    const isAccepted = Promise.resolve(delivery)
      .then(verify)
      .then(
        () => true,
        () => false,
      );
    expect(await isAccepted).toBe(isGenuine);
  });
});

test('D61: stripe verifies with a secret of the earlier form, which gets no headers of Standard Webhooks', () => {
  const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
  const headers = headersBy([secret]);
  expect(Object.keys(headers)).toEqual([SIGNATURE_HEADER]);
  expect(() => verifyByStripe({ headers, secret, body: BODY })).not.toThrow();
});
