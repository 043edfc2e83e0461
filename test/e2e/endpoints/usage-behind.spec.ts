import { expect, test } from '@jest/globals';
import { holdReadModels } from '../support/lag.js';
import { startService } from '../support/start-service.js';

// Nothing here waits longer for the views than the service itself does.
const service = await startService({ viewsLagBy: 1 });

test('D81: lagging figures count no creator without active time up to measured_through', async () => {
  const agency = await service.agency();
  await agency.active();
  await service.quiet();
  const now = new Date(service.clock.now());
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  service.clock.advance(start + 1_000 - now.getTime());
  const whole = { active_creator_count: 1, measured_through: new Date(start + 1_000).toISOString() };
  const held = holdReadModels(service.services);
  try {
    await agency.linked();
    const behind = { active_creator_count: 0, creator_seconds: 0, measured_through: new Date(start).toISOString() };
    expect(await agency.api.got('/v1/usage')).toMatchObject(behind);
  } finally {
    held.goOn();
  }
  await service.quiet();
  expect(await agency.api.got('/v1/usage')).toMatchObject(whole);
});
