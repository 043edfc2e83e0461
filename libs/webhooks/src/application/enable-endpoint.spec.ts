import { beforeEach, expect, it } from '@jest/globals';
import { agency, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { endpointId, registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { EnableEndpoint } from './endpoint-commands.js';
import { TargetPolicy } from './outside.js';
import { WebhookEndpointRepository } from './repositories.js';

const disabled: readonly WebhookEndpointEvent[] = [
  { type: 'webhookEndpoint.registered.v2', data: { ...registration, agencyId: agency, workspaceId } },
  { type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'operator', failingSince: null } },
];

let service: TestedContext;
let endpoints: WebhookEndpointRepository;
let problem: string | undefined;
let checked: string[];
const targets: TargetPolicy = {
  problem: async (url) => {
    checked.push(url);
    return problem;
  },
};
const enable = () => service.commands.execute(new EnableEndpoint(endpointId, contextOf()));
const statusNow = async () => (await endpoints.find(endpointId)).state.status;

beforeEach(async () => {
  service = await testedContext([WebhooksModule], [given(TargetPolicy, targets)]);
  endpoints = service.get(WebhookEndpointRepository);
  checked = [];
  await endpoints.update(endpointId, contextOf(), () => [...disabled]);
});

it('D82: an endpoint is enabled again with its URL, where deliveries may go there now', async () => {
  problem = undefined;
  expect(await enable()).toMatchObject({ status: 'active', url: registration.url });
  expect(checked).toEqual([registration.url]);
});

it('D82: an endpoint whose host has a refused address by now stays disabled', async () => {
  problem = 'has a private address';
  await expect(enable()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'url' }] });
  expect(await statusNow()).toBe('disabled');
});
