import { beforeEach, describe, expect, it } from '@jest/globals';
import { agency } from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { RegisterEndpoint, RotateSecret } from './endpoint-commands.js';
import { WebhookEndpointRepository } from './repositories.js';
import { SecretCipher, type SecretOwner } from './secret-cipher.js';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

let service: TestedContext;
let endpoints: WebhookEndpointRepository;
/** What this process knows: it learns from a read of the sentinel that a rotation has begun. */
let keys: { current: Buffer; readonly all: readonly Buffer[] };
let readsUntilNew: number;

beforeEach(async () => {
  keys = { current: OLD, all: [NEW, OLD] };
  readsUntilNew = Number.POSITIVE_INFINITY;
  const cipher = new SecretCipher(keys, async () => {
    if (--readsUntilNew === 0) keys.current = NEW;
  });
  service = await testedContext([WebhooksModule], [given(SecretCipher, cipher)]);
  endpoints = service.get(WebhookEndpointRepository);
});

const underNewKey = (owner: SecretOwner, encrypted: string) =>
  new SecretCipher({ current: NEW, all: [NEW] }).decrypt(owner, encrypted);

const register = () => service.commands.execute(new RegisterEndpoint(agency, registration.url, contextOf()));

describe('D85: while a rotation of the master key begins', () => {
  it.each([1, 2])('the secret of a new endpoint is encrypted with the new key, which read %i finds', async (read) => {
    readsUntilNew = read;
    const { endpoint, secret } = await register();
    const { state } = await endpoints.find(endpoint.endpointId);
    expect(state.secrets.map(({ encrypted }) => underNewKey(state, encrypted))).toEqual([secret]);
  });

  it.each([1, 2])('a rotated secret is encrypted with the new key, which read %i finds', async (read) => {
    const { endpointId } = (await register()).endpoint;
    readsUntilNew = read;
    const { secret } = await service.commands.execute(new RotateSecret(endpointId, 0, contextOf()));
    const { state } = await endpoints.find(endpointId);
    expect(state.secrets.map(({ encrypted }) => underNewKey(state, encrypted))).toEqual([secret]);
  });
});
