import { expect, test } from '@jest/globals';
import { startService } from '../support/start-service.js';

const service = await startService();

test('capacity is a snapshot of the slots that the agency shares with its dashboard', async () => {
  const agency = await service.agency({ slots: 3 });
  await agency.change({ plan: 'studio', subscription_status: 'active', dashboard_slots: 1 });
  await agency.active();
  expect(await agency.api.got('/v1/capacity')).toEqual({
    plan: 'studio',
    subscription_status: 'active',
    protection_eligible: true,
    total_slots: 3,
    occupied_slots: 2,
    reserved_slots: 0,
    available_slots: 1,
    overflow_slots: 0,
    api_included: true,
    checked_at: new Date(service.clock.now()).toISOString(),
    simulated: false,
  });
});

test('what the plan does not include is shown as the platform says it', async () => {
  const agency = await service.agency();
  const without = { subscription_status: 'past_due', protection_eligible: false, api_included: false };
  await agency.change(without);
  expect(await agency.api.got('/v1/capacity')).toMatchObject(without);
});

test('what is occupied and reserved beyond the total overflows, and nothing is available (D55)', async () => {
  const agency = await service.agency({ slots: 3 });
  await agency.active();
  await agency.active();
  await agency.invited();
  await agency.change({ total_slots: 1 });
  expect(await agency.api.got('/v1/capacity')).toMatchObject({
    total_slots: 1,
    occupied_slots: 2,
    reserved_slots: 1,
    available_slots: 0,
    overflow_slots: 2,
  });
});

test('a failure of the platform is reported, and nothing stale is shown (D36)', async () => {
  const agency = await service.agency();
  await service.platform.fault({ operation: 'getCapacity', kind: 'status', status: 500, times: 10 });
  expect((await agency.api.get('/v1/capacity')).outcome).toBe('503 provider_unavailable');
  await service.platform.heal();
  await service.platform.fault({ operation: 'getCapacity', kind: 'wrong_shape', times: 10 });
  expect((await agency.api.get('/v1/capacity')).outcome).toBe('502 provider_invalid_response');
  await service.platform.heal();
  expect((await agency.api.get('/v1/capacity')).status).toBe(200);
});
