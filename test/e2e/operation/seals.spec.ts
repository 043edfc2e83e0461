import { expect, test } from '@jest/globals';
import { HOUR, type RecordedEvent } from '#kernel';
import { SEALS, type Sealed } from '#tamper-evidence';
import { eventually } from '#testing';
import { startService } from '../support/start-service.js';

const service = await startService();

test('a running service seals events that have waited for an hour', async () => {
  const seals = async () => (await service.services.log.readStream(SEALS)) as RecordedEvent<Sealed>[];
  const agency = await service.agency();
  await agency.linked();
  await service.quiet();
  expect(await seals()).toEqual([]);
  await service.pass(HOUR);
  const [first] = await eventually(async () => {
    const made = await seals();
    expect(made).not.toEqual([]);
    return made;
  });
  expect(first?.metadata.actor).toBe('process:sealing');
  expect(first?.data.statement.count).toBeGreaterThan(0);
});
