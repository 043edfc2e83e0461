import { expect, it } from '@jest/globals';
import { Gate, settled } from '#testing';
import { AgencyPermits } from './permits.js';

/** Tasks that last until the gate opens. */
const stage = (limit: number) => {
  const permits = new AgencyPermits(limit);
  const gate = new Gate();
  const begun: string[] = [];
  const begin = (agency: string) => async () => {
    begun.push(agency);
    await gate.opened;
    return agency;
  };
  return { permits, gate, begun, begin };
};

it('limits the tasks of one agency, and does not block those of another', async () => {
  const { permits, gate, begun, begin } = stage(2);
  const large = [1, 2, 3].map(() => permits.run('large', begin('large')));
  const small = permits.run('small', begin('small'));
  await settled();
  expect(begun).toEqual(['large', 'large', 'small']);
  gate.open();
  expect(await Promise.all([...large, small])).toEqual(['large', 'large', 'large', 'small']);
});

it('refuses a task without a permit in time, and never runs it later', async () => {
  const { permits, gate, begun, begin } = stage(1);
  const first = permits.run('large', begin('large'));
  expect(await permits.run('large', begin('large'), { timeout: 1 })).toBeUndefined();
  gate.open();
  await first;
  expect(begun).toEqual(['large']);
  expect(await permits.run('large', begin('large'), { timeout: 1 })).toBe('large');
});

it('releases the permit after a task that failed', async () => {
  const permits = new AgencyPermits(1);
  const failing = permits.run('large', async () => {
    throw new Error('refused');
  });
  const next = permits.run('large', async () => 'done');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('done');
});
