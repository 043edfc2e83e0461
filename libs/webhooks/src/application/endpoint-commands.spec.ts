import { beforeEach, describe, expect, it } from '@jest/globals';
import { LiveCollections, type WebhookEndpointId } from '#kernel';
import { agency, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { endpointListProjection, ListEndpoints } from '../read-models/endpoint-list.js';
import { registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import {
  DisableEndpoint,
  EnableEndpoint,
  GetEndpoint,
  MAX_ACTIVE,
  MAX_ENDPOINTS,
  RegisterEndpoint,
  RotateSecret,
} from './endpoint-commands.js';
import { SecretCipher, type SecretOwner } from './secret-cipher.js';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

let service: TestedContext;
/** The keys of this process, which learns from a read of the sentinel that a rotation has begun. */
let keys: { current: Buffer; readonly all: readonly Buffer[] };
let readsUntilNew: number;

beforeEach(async () => {
  keys = { current: OLD, all: [NEW, OLD] };
  readsUntilNew = Number.POSITIVE_INFINITY;
  const cipher = new SecretCipher(keys, async () => {
    if (--readsUntilNew === 0) keys.current = NEW;
  });
  service = await testedContext([WebhooksModule], [given(SecretCipher, cipher)]);
});

const register = () => service.commands.execute(new RegisterEndpoint(agency, registration.url, contextOf()));
const registered = async () => {
  const { endpoint } = await register();
  await service.project();
  return endpoint.endpointId;
};
const enable = (id: WebhookEndpointId) => service.commands.execute(new EnableEndpoint(id, contextOf()));
const disable = async (id: WebhookEndpointId) => {
  await service.commands.execute(new DisableEndpoint(id, contextOf()));
  await service.project();
};
const endpointNow = (id: WebhookEndpointId) => service.queries.execute(new GetEndpoint(id));

describe('one agency takes no more of the deliveries than its share', () => {
  it('has at most 100 active endpoints, also by enabling one again', async () => {
    const first = await registered();
    for (let count = 1; count < MAX_ACTIVE; count++) await registered();
    await expect(register()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
    await disable(first);
    await registered();
    await expect(enable(first)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'endpoint' }] });
  });

  it('has at most 1,000 endpoints of a binding in all, and may enable one of these again', async () => {
    const documents = Array.from({ length: MAX_ENDPOINTS }, (_, n) => {
      const id = `whe_${String(n).padStart(26, '0')}` as WebhookEndpointId;
      return { id, agencyId: agency, workspaceId, status: 'disabled', createdAt: n };
    });
    const collection = await service.get(LiveCollections).of(endpointListProjection);
    const put = (epoch: number) =>
      service.documents.write([{ collection, put: documents.map((one) => ({ ...one, epoch })) }]);
    await put(0);
    const id = await registered();
    await disable(id);
    await put(1);
    await expect(register()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
    expect(await enable(id)).toMatchObject({ status: 'active' });
  });
});

describe('D82: an endpoint is enabled again with its URL', () => {
  let id: WebhookEndpointId;
  beforeEach(async () => {
    id = await registered();
    await disable(id);
    service.sender.checked.length = 0;
  });

  it('where deliveries may go there now', async () => {
    expect(await enable(id)).toMatchObject({ status: 'active', url: registration.url });
    expect(service.sender.checked).toEqual([registration.url]);
  });

  it('but not where its host has a refused address by now', async () => {
    service.sender.urlProblem = 'has a private address';
    await expect(enable(id)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
    expect(await endpointNow(id)).toMatchObject({ status: 'disabled' });
  });
});

it('D100: an endpoint of an earlier binding is listed as such until it is disabled', async () => {
  const id = await registered();
  await service.rebind();
  const second = await registered();
  const statuses = async () =>
    (await service.queries.execute(new ListEndpoints(agency))).map((one) => [one.id, one.status]);
  expect(await statuses()).toEqual([
    [id, 'earlier_binding'],
    [second, 'active'],
  ]);
  await disable(id);
  expect(await statuses()).toEqual([
    [id, 'disabled'],
    [second, 'active'],
  ]);
});

describe('D85: while a rotation of the master key begins', () => {
  const underNewKey = (owner: SecretOwner, encrypted: string) =>
    new SecretCipher({ current: NEW, all: [NEW] }).decrypt(owner, encrypted);

  it.each([1, 2])('the secret of a new endpoint is encrypted with the new key, which read %i finds', async (read) => {
    readsUntilNew = read;
    const { endpoint, secret } = await register();
    const state = await endpointNow(endpoint.endpointId);
    expect(state.secrets.map(({ encrypted }) => underNewKey(state, encrypted))).toEqual([secret]);
  });

  it.each([1, 2])('a rotated secret is encrypted with the new key, which read %i finds', async (read) => {
    const { endpointId } = (await register()).endpoint;
    readsUntilNew = read;
    const { secret } = await service.commands.execute(new RotateSecret(endpointId, 0, contextOf()));
    const state = await endpointNow(endpointId);
    expect(state.secrets.map(({ encrypted }) => underNewKey(state, encrypted))).toEqual([secret]);
  });
});
