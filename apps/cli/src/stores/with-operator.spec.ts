import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { logOnDouble } from '../../../../libs/event-log/src/eventstoredb/testing/log-on-double.js';
import { withOperator } from './with-operator.js';

const dataDir = mkdtempSync(join(tmpdir(), 'operator-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('the operators’ tool waits for an event store that is away for longer than a request waits', async () => {
  const { double, log, close } = await logOnDouble();
  const masterKey = Buffer.alloc(32, 1).toString('base64');
  const environment = { DATA_DIR: dataDir, MASTER_KEY: masterKey, EVENTSTOREDB_URL: double.url };
  await withOperator(environment, 'serve', async ({ readModels }) => {
    const { status } = await double.whileAway(async () => {
      const reading = readModels.status([]);
      const settled = reading.then(
        () => 'answered',
        () => 'failed',
      );
      await expect(log.head()).rejects.toBeInstanceOf(StoreUnavailable);
      return { status: settled };
    });
    expect(await status).toBe('answered');
  });
  await close();
});
