import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scan } from '#client';
import { type AgencyClient, ok } from './support/agency-client.js';
import { activated } from './support/creators.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const TIMEOUT = 90_000;
/** Milliseconds for an enrollment and an activation together (D68). */
const MOST = 1_500;
/** A crowded machine may hold up one of them; a wait for a runner that does not advance holds up all. */
const TRIES = 3;
/** As many as a page has. */
const MEMBERS = 100;
/** The default timeout for a whole page of the roster (D80), in milliseconds. */
const PROVIDER_TIMEOUT = 5_000;
/** More than a worker dispatches concurrently: when it sees the pauses, most still wait. */
const CREATORS = 24;
const HELD = 1_000;

describe('a worker that starts only after an API has answered requests', () => {
  let stage: Stage;
  let client: AgencyClient;
  const took: number[] = [];
  let listed: { readonly count: number; readonly took: number };
  let before: Scan;
  const after: Scan[] = [];

  beforeAll(async () => {
    stage = await Stage.open({ PROVIDER_TIMEOUT: '10s' });
    await stage.agency({ total_slots: 50 });
    const { workspaceId, secret } = await stage.openAccount();
    client = stage.client(await stage.start('api').ready(), secret);
    await stage.members(MEMBERS);
    const began = performance.now();
    const members = await client.api.creators.list({ limit: MEMBERS }).toArray({ limit: MEMBERS });
    listed = { count: members.length, took: performance.now() - began };
    const queue = async (id: string) => ok(await client.queueScan(id, `scan of ${id}`), 202);
    const pauseAndActivate = async (id: string) => {
      ok(await client.protect(id, 'paused'));
      ok(await client.protect(id, 'active'));
    };
    const [first = '', ...others] = await Promise.all(
      (await stage.members(1 + CREATORS)).map((userId) => activated(client, workspaceId, userId)),
    );
    before = await queue(first);
    await Promise.all([first, ...others].map(pauseAndActivate));
    after.push(...(await Promise.all(others.map(queue))));
    const isDegraded = async () => {
      const { text } = await client.send('GET', '/health/ready', { headers: {} });
      return JSON.parse(text).status === 'degraded';
    };
    await until('nobody advances', isDegraded);
    for (const userId of await stage.members(TRIES)) {
      const asked = performance.now();
      await activated(client, workspaceId, userId);
      took.push(performance.now() - asked);
    }
    await stage.fault({ operation: 'dispatchScan', kind: 'delay', delay_ms: HELD });
    await stage.start('worker').ready();
  }, TIMEOUT);

  afterAll(() => stage.close());

  const ended = async ({ id }: Scan): Promise<Scan> => {
    const shown = async () => ok(await client.scan(id));
    const isOver = async () => ['completed', 'failed', 'cancelled'].includes((await shown()).status);
    await until(`${id} is over`, isOver, TIMEOUT / 2);
    return shown();
  };

  test('is not needed for a page of new members of the roster (D80)', () => {
    expect(listed.count).toBe(MEMBERS);
    expect(listed.took).toBeLessThan(PROVIDER_TIMEOUT);
  });

  test('keeps no enrollment and activation waiting before that (D68)', () => {
    expect(Math.min(...took)).toBeLessThan(MOST);
  });

  test(
    'cancels no scan that was queued after the pause (D79)',
    async () => {
      const statuses = (await Promise.all(after.map(ended))).map(({ status }) => status);
      expect(statuses).toEqual(Array(CREATORS).fill('completed'));
    },
    TIMEOUT,
  );

  test(
    'cancels a scan that was queued before the pause, though protection is active again (D79)',
    async () => {
      expect(await ended(before)).toMatchObject({ status: 'cancelled', error_code: 'protection_paused' });
      expect((await stage.effects()).scan_jobs[before.id]).toBeUndefined();
    },
    TIMEOUT,
  );
});
