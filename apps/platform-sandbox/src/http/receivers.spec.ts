import { expect, test } from '@jest/globals';
import { SandboxClient, startSandbox } from '../index.js';

test('a receiver takes each webhook without a token, and answers 503 while a setting says so', async () => {
  const sandbox = await startSandbox({ token: 't' });
  const send = async (name: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${sandbox.url}/receivers/${name}`, { method: 'POST', headers, body: '{"id":"evt_1"}' }))
      .status;
  };
  const client = new SandboxClient(sandbox);
  await client.control('PATCH', '/settings', { failing_receivers: ['down'] });
  expect([await send('up'), await send('down')]).toEqual([204, 503]);
  await client.control('PATCH', '/settings', { failing_receivers: [] });
  expect(await send('down')).toBe(204);
  await sandbox.close();
});
