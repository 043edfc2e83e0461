import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Creator, EnrollCreatorBody } from '#client';
import { mainOf } from '../support/mains.js';
import { type AgencyClient, ok } from './support/agency-client.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(180_000);

/** Before, during and after the wait for cached keys, and while the read models are rebuilt. */
const KILLED_AFTER = [500, 1_000, 5_700, 6_300, 7_000];
const NAME = 'Canaria Quellstein';
const ALIAS = 'canaria-alias';
const EXTERNAL_ID = 'ext-canaria-quellstein';

let stage: Stage;
let client: AgencyClient;
let creator: Creator;
let body: EnrollCreatorBody;

beforeAll(async () => {
  stage = await Stage.open();
  await stage.agency({ total_slots: 100 });
  const { secret, workspaceId } = await stage.openAccount();
  const [userId = ''] = await stage.members(1, { leaks_each: 20 });
  await stage.members(20, { leaks_each: 5 });
  const standalone = stage.start('standalone');
  client = stage.client(await standalone.ready(), secret);
  body = {
    workspace_id: workspaceId,
    external_id: EXTERNAL_ID,
    display_name: NAME,
    aliases: [ALIAS],
    svc_user_id: userId,
  };
  creator = ok(await client.enroll(body), 201);
});

afterAll(() => stage.close());

const cases = () => client.cases(creator.id);

const filesWith = (text: string): string[] =>
  readdirSync(stage.dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(stage.dataDir, entry.name)).includes(text))
    .map(({ name }) => name);

const killedErasure = async (after: number): Promise<boolean> => {
  const words = ['privacy', 'erase', '--creator', creator.id, '--yes'];
  const child = spawn(process.execPath, [mainOf('cli'), ...words], {
    env: { PATH: process.env.PATH, ...stage.environment },
    stdio: 'ignore',
  });
  const gone = once(child, 'close');
  await delay(after);
  child.kill('SIGKILL');
  await gone;
  return child.signalCode === 'SIGKILL';
};

test('D72: an erasure that is killed again and again leaves nothing once it has ended', async () => {
  await until('its cases', async () => (await cases()).length > 0);
  // The dashboard searches for words in lower case, and for URLs without their scheme.
  const urls = (await cases()).map(({ url }) => url.replace('https://', ''));
  const texts = [NAME, ALIAS, EXTERNAL_ID, ...NAME.toLowerCase().split(' '), ...urls];
  expect(texts.flatMap(filesWith)).not.toEqual([]);

  let killed = 0;
  for (const after of KILLED_AFTER) if (await killedErasure(after)) killed++;
  expect(killed).toBeGreaterThan(0);
  const { status, stderr } = await stage.tool(['privacy', 'erase', '--creator', creator.id, '--yes']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

  for (const text of texts) expect({ text, files: filesWith(text) }).toEqual({ text, files: [] });
  expect((await client.creator(creator.id)).status).toBe(404);
  expect((await client.enroll(body)).status).toBe(404);
  expect((await client.enroll({ ...body, display_name: 'Somebody Else' })).status).toBe(409);
  // The others' are all there.
  expect(await client.roster()).toHaveLength(20);
  const compared = await stage.tool(['projections', 'compare']);
  expect(compared.status).toBe(0);
});
