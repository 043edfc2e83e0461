import { expect, test } from '@jest/globals';
import { DAY, HOUR } from '#kernel';
import { eventually } from '#testing';
import { startService } from '../support/start-service.js';

const service = await startService();

/** Readiness is computed again after a second. */
const becomesReady = (expected: object) =>
  eventually(async () => expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject(expected));

test('D93: a clock that is set makes the service degraded and shows in the metrics, and the service goes on', async () => {
  const agency = await service.agency();
  const listener = await service.startOpsListener();
  const metrics = async () => (await fetch(`${listener.url}/metrics`)).text();
  await service.quiet();
  await becomesReady({ status: 'ok', clock_faults: [] });
  service.clock.jump(-HOUR);
  await service.services.clockWatch.check();
  await becomesReady({ status: 'degraded', clock_faults: ['moved', 'behind_the_log'] });
  const shown = await metrics();
  for (const fault of ['moved', 'behind_the_log']) expect(shown).toContain(`\nclock_fault{fault="${fault}"} 1\n`);
  const { status } = await agency.api.get('/v1/me');
  expect(status).toBe(200);
  service.clock.jump(HOUR);
  await service.services.clockWatch.check();
  await service.pass(DAY);
  await becomesReady({ status: 'ok', clock_faults: [] });
  expect(await metrics()).toContain('\nclock_fault{fault="moved"} 0\n');
  await listener.close();
});
