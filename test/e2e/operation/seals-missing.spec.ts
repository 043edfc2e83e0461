import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { HOUR } from '#kernel';
import { SEALS } from '#tamper-evidence';
import { eventually } from '#testing';
import { hashEvent, splitHash, withHash } from '../../../libs/tamper-evidence/src/event-hash.js';
import { runTool } from '../../support/tool.js';
import { startService } from '../support/start-service.js';

// The tests build on one another.
const folder = mkdtempSync(join(tmpdir(), 'seals-missing-'));
const dataDir = join(folder, 'data');
const service = await startService({ folder });

const tool = async (...words: string[]) => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], { DATA_DIR: dataDir });
  return { status, result: JSON.parse(stdout || stderr) as Record<string, unknown> };
};
const ready = async () => (await fetch(`${service.url}/health/ready`)).json();
/** While the read models are built again (D92), the metrics have no figures at first. */
const gaugeIs = async (figure: 0 | 1): Promise<void> => {
  const { url, close } = await service.startOpsListener();
  await eventually(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(`\nsealing_stopped{fault="seals_missing"} ${figure}\n`);
  });
  await close();
};

/** Somebody who can write to `events.db` changes an event, makes its hash fit, and deletes what could show it. */
const rewrite = async (): Promise<void> => {
  const log = new DatabaseSync(join(dataDir, 'events.db'));
  log.prepare('DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)').run(SEALS);
  const row = log
    .prepare(`SELECT position, revision, name, body FROM events JOIN streams ON streams.id = stream
      WHERE name LIKE 'agency-%' AND revision = 0`)
    .get();
  const { id, type, stream, data, metadata, ...rest } = JSON.parse(String(row?.body));
  const json = { data: JSON.stringify({ ...data, ownerUserId: 'forged' }), metadata: JSON.stringify(metadata) };
  const plain = splitHash(json.metadata)?.metadata ?? '';
  const hash = hashEvent({ id, type, json: { data: json.data, metadata: plain } }, stream, 0, 'A'.repeat(43));
  const head = JSON.stringify({ id, type, stream }).slice(0, -1);
  const body = `${head},"data":${json.data},"metadata":${withHash(plain, hash)},${JSON.stringify(rest).slice(1)}`;
  log.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, row?.position ?? 0);
  log.close();
};

test('a log that was sealed is intact, and its last seal is remembered (D91)', async () => {
  await service.agency();
  await service.quiet();
  const { result: seal } = await tool('events', 'seal', '--now');
  const { count } = seal.statement as { count: number };
  const { status, result } = await tool('events', 'verify');
  expect([status, result]).toMatchObject([
    0,
    { intact: true, remembered_seal: { events: count }, accepted_losses: [] },
  ]);
  expect(await ready()).toMatchObject({ status: 'ok', seals_missing: false });
  await gaugeIs(0);
});

test('a log with an old event that was rewritten and without seals is found, and is not sealed again (D91)', async () => {
  await service.restart({}, rewrite);
  const { status, result } = await tool('events', 'verify');
  expect([status, result]).toMatchObject([1, { fault_count: 1, fault: { kind: 'seals_missing', stream: SEALS } }]);
  await eventually(async () => expect(await ready()).toMatchObject({ status: 'degraded', seals_missing: true }));
  await gaugeIs(1);
  expect(await tool('events', 'seal', '--now')).toMatchObject({
    status: 1,
    result: { error: { code: 'seals_missing' } },
  });
  const { sealing, log } = service.services;
  await expect(sealing.runDue(service.clock.now() + HOUR)).rejects.toThrow('events seal --accept-loss');
  expect(await log.readStream(SEALS)).toEqual([]);
});

test('is sealed again when an operator has accepted the loss, which verification shows (D91)', async () => {
  expect((await tool('events', 'seal', '--accept-loss')).status).toBe(0);
  const { status, result } = await tool('events', 'verify');
  expect([status, result]).toMatchObject([0, { intact: true, accepted_losses: [expect.any(String)] }]);
  expect(await tool('events', 'history', '--type', 'seal.lossAccepted')).toMatchObject({
    result: { actor: expect.stringMatching(/^operator:/) },
  });
  await eventually(async () => expect(await ready()).toMatchObject({ status: 'ok', seals_missing: false }));
  expect(await tool('events', 'seal', '--accept-loss')).toMatchObject({
    status: 1,
    result: { error: { code: 'invalid_request' } },
  });
});
