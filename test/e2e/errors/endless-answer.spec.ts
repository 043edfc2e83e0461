import { expect, test } from '@jest/globals';
import { startService } from '../support/start-service.js';

// The sandbox takes its time to send that much.
const service = await startService({ env: { PROVIDER_TIMEOUT: '10s' } });
const agency = await service.agency({ slots: 50 });

test('an answer of endless length is invalid, and is not read to its end', async () => {
  const userId = await agency.user({ display_name: 'x'.repeat(9 * 1024 * 1024) });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('502 provider_invalid_response');
});
