import { beforeEach, describe, expect, it } from '@jest/globals';
import { LiveCollections, type WebhookEndpointId } from '#kernel';
import { agency, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { endpointListProjection } from '../read-models/endpoint-list.js';
import { registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { DisableEndpoint, EnableEndpoint, RegisterEndpoint } from './endpoint-commands.js';
import { MAX_ACTIVE, MAX_ENDPOINTS } from './endpoint-limits.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([WebhooksModule]);
});

const register = async () => {
  const { endpoint } = await service.commands.execute(new RegisterEndpoint(agency, registration.url, contextOf()));
  await service.project();
  return endpoint.endpointId;
};
const enable = (id: WebhookEndpointId) => service.commands.execute(new EnableEndpoint(id, contextOf()));
const disable = async (id: WebhookEndpointId) => {
  await service.commands.execute(new DisableEndpoint(id, contextOf()));
  await service.project();
};
const registerMany = async (count: number) => {
  const ids: WebhookEndpointId[] = [];
  for (let left = count; left > 0; left--) ids.push(await register());
  return ids;
};

describe('one agency takes no more of the deliveries than its share', () => {
  it('has at most 100 active endpoints, also by enabling one again', async () => {
    const [first] = await registerMany(MAX_ACTIVE);
    await expect(register()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
    if (first === undefined) throw new Error('nothing was registered');
    await disable(first);
    await register();
    await expect(enable(first)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'endpoint' }] });
  });

  it('has at most 1,000 endpoints of a binding in all, and may enable one of these again', async () => {
    const registered = Array.from({ length: MAX_ENDPOINTS }, (_, n) => {
      const id = `whe_${String(n).padStart(26, '0')}` as WebhookEndpointId;
      return { id, agencyId: agency, workspaceId, status: 'disabled', createdAt: n };
    });
    const collection = await service.get(LiveCollections).of(endpointListProjection);
    const put = (epoch: number) =>
      service.documents.write([{ collection, put: registered.map((one) => ({ ...one, epoch })) }]);
    await put(0);
    const id = await register();
    await disable(id);
    await put(1);
    await expect(register()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
    expect(await enable(id)).toMatchObject({ status: 'active' });
  });
});
