import { afterEach, expect, test } from '@jest/globals';
import { events } from '../contract/given-events.js';
import { logOnDouble } from './testing/log-on-double.js';

const VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'] as const;

afterEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

test.each(VARIABLES)('the server is reached directly where %s names a proxy (D64)', async (name) => {
  // Port 9 is discard: nothing listens there.
  process.env[name] = 'http://127.0.0.1:9';
  const { log, close } = await logOnDouble();
  try {
    await log.append('thing-1', 'none', events(1));
    expect(await log.readStream('thing-1')).toHaveLength(1);
  } finally {
    await close();
  }
});
