import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { selectedEvents } from '#audit';
import { ALL_PROJECTIONS } from '#contexts';
import { ErasureHashes } from '#creators';
import {
  type CreatorId,
  ERASED,
  HOUR,
  holdsStandIn,
  MINUTE,
  type RecordedEvent,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { liveCollectionsOf } from '#projections';
import { Stores } from '#stores';
import { erase, exported, preview } from '../../support/operator-actions.js';
import { verifyStoredLog } from '../../support/stores.js';
import { bodyOf } from '../support/api-client.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });
/** The operators' tool, a separate process on the same stores. */
const opened = await service.openAnother();
const tool = opened.services;
afterAll(() => opened.close());

const NAME = 'Canaria Quellstein';
const ALIAS = 'canaria-alias';
const URL_PART = 'canaria-leak';
/** The dashboard's search has words in lower case. */
const WORD = 'quellstein';

/** Every byte of the data folder, in files of any kind. */
const filesWith = (text: string): string[] => {
  const { dataDir } = service.services.config;
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.filter(({ name }) => readFileSync(join(dataDir, name)).includes(text)).map(({ name }) => name);
};

const inFile = (name: string, text: string): boolean =>
  ['', '-wal'].some((end) => {
    try {
      return readFileSync(join(service.services.config.dataDir, `${name}${end}`)).includes(text);
    } catch {
      return false;
    }
  });

const about = async (creatorId: string): Promise<RecordedEvent[]> => {
  const events = [];
  for await (const event of selectedEvents(tool.log, { about: [creatorId] })) {
    // One that happens to end with an event of the creator comes when the clock says so.
    if (!event.stream.startsWith('seal-')) events.push(event);
  }
  return events;
};

test('a creator is erased: unreadable everywhere, gone for the agency, and counted as before', async () => {
  const agency = await service.agency();
  const creator = await agency.active({ display_name: NAME, aliases: [ALIAS] });
  const other = await agency.active();
  await agency.leaks(creator.userId, 3, { url: `https://example.com/${URL_PART}` });
  await agency.impersonations(creator.userId, 2);
  const scan = await agency.scan(creator.id);
  await agency.scanThatIs('completed', scan.id);
  await agency.api.got(`/v1/creators/${creator.id}/cases`);
  const published = await agency.publishedEvents();
  expect(published.filter(({ data }) => data.creator_id === creator.id).length).toBeGreaterThan(3);
  service.clock.advance(HOUR);
  const id = creator.id as CreatorId;

  // Nothing personal has ever stood in the log's file.
  expect(JSON.stringify(await exported(tool, id))).toContain(NAME);
  for (const text of [NAME, ALIAS]) expect(inFile('events.db', text)).toBe(false);

  const impersonated = await agency.api.got<{ data: { url: string; username: string }[] }>(
    `/v1/creators/${creator.id}/impersonations`,
  );
  const texts = [NAME, ALIAS, URL_PART, WORD, ...impersonated.data.flatMap(({ url, username }) => [url, username])];
  expect(texts).toHaveLength(8);
  // Rows that were replaced, as rebuilds leave them.
  await tool.rebuild.run(ALL_PROJECTIONS);
  await service.quiet();
  if (process.env.E2E_DOCUMENTS === undefined) {
    for (const text of [URL_PART, WORD]) expect(filesWith(text)).not.toEqual([]);
  }

  const shown = await preview(tool, id);
  expect(shown).toMatchObject({ isErased: false, protection: 'active', membership: 'current' });
  expect(Object.keys(shown.becomesUnreadable)).toEqual(
    expect.arrayContaining(['case', 'creator', 'eventFeed', 'impersonation', 'roster', 'scan']),
  );
  expect((await agency.api.get(`/v1/creators/${creator.id}`)).status).toBe(200);

  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const usage = () => agency.api.got<Record<string, unknown>>(`/v1/usage?month=${month}`);
  const used = await usage();
  await tool.sealing.sealAll(service.clock.now());
  const remembered = () => service.services.personalKeys.keysOf([id]);
  expect((await remembered()).get(id)).toBeInstanceOf(Uint8Array);

  expect(Object.keys((await erase(tool, id)).becameUnreadable)).toEqual(Object.keys(shown.becomesUnreadable));
  // The service could neither read nor write any more of it when the read models were rebuilt.
  expect((await remembered()).get(id)).toBeNull();
  expect(await preview(tool, id)).toMatchObject({
    isErased: true,
    personalKey: 'destroyed',
    membership: 'erased',
    becomesUnreadable: {},
  });
  await service.quiet();
  // D72: not in a page that was freed, in a write-ahead log or in a collection that serves nobody.
  for (const text of texts) expect({ text, files: filesWith(text) }).toEqual({ text, files: [] });
  const live = await liveCollectionsOf(tool.documents, ALL_PROJECTIONS);
  const ofReadModels = (await tool.documents.collections()).filter((name) => live.has(name.replace(/_v\d+_\d+$/, '')));
  expect(ofReadModels.toSorted()).toEqual([...live.values()].map(({ collection }) => collection).toSorted());

  for (const path of ['', '/cases', '/impersonations', '/activity', '/report']) {
    expect((await agency.api.get(`/v1/creators/${creator.id}${path}`)).status).toBe(404);
  }
  expect((await agency.api.get(`/v1/scans/${scan.id}`)).status).toBe(404);
  const roster = await agency.api.got<{ data: { id: string }[] }>('/v1/creators');
  expect(roster.data.map((member) => member.id)).toEqual([other.id]);
  // D58: taken out of the feed; others' events stay.
  const left = await agency.publishedEvents();
  expect(left.filter(({ data }) => data.creator_id === creator.id)).toEqual([]);
  expect(left.some(({ data }) => data.creator_id === other.id)).toBe(true);

  // History and exports show that it was erased, ids and times stay.
  const events = await about(creator.id);
  expect(holdsStandIn(events)).toBe(true);
  const history = JSON.stringify(events);
  for (const text of [NAME, ALIAS, URL_PART, 'example.com']) expect(history).not.toContain(text);
  const copy = await exported(tool, id);
  expect(copy).toMatchObject({ personal_key: 'destroyed', creator: { identity: { displayName: ERASED } } });

  // Usage is what it was: the hour until it was erased.
  expect(used).toMatchObject({ active_creator_count: 2 });
  expect(await usage()).toEqual(used);

  // Every hash and seal still holds.
  const verified = await verifyStoredLog(service.services.config);
  expect(verified).toMatchObject({ faultCount: 0, faults: [] });
  expect(verified.seals).toBeGreaterThan(0);

  // It does not come back without the operator, and nothing more is recorded of it.
  await service.pass(HOUR);
  const recorded = await about(creator.id);
  expect(recorded.at(-1)?.type).toBe('creator.slotReleased.v1');
  await service.pass(HOUR);
  await agency.api.got('/v1/creators');
  expect(await about(creator.id)).toEqual(recorded);
  expect(await erase(tool, id, 0)).toMatchObject({ becameUnreadable: {} });
});

test('an erased creator cannot be enrolled again, and a creator whose enrollment is in progress cannot be erased', async () => {
  const agency = await service.agency();
  const creator = await agency.linked();
  await erase(tool, creator.id as CreatorId, 0);
  const body = agency.linkBody(creator.userId);
  const other = await agency.linked();
  const answers = async (): Promise<number[]> => {
    const { external_id } = creator;
    const bodies = [
      body,
      { ...body, external_id: `new-${external_id}` },
      { ...body, display_name: 'Somebody Else' },
      { ...body, svc_user_id: other.userId },
      agency.inviteBody({ external_id }),
    ];
    return Promise.all(bodies.map(async (each) => (await agency.api.enroll(each)).status));
  };
  // D72, D83: the same before and after a restart, when nobody remembers the texts.
  expect(await answers()).toEqual([404, 404, 409, 409, 409]);
  await service.restart();
  expect(await answers()).toEqual([404, 404, 409, 409, 409]);
  const invited = await agency.invited();
  await expect(erase(tool, invited.id as CreatorId, 0)).rejects.toThrow('invalid_request');
  expect(bodyOf(await agency.api.get(`/v1/creators/${invited.id}`))).toMatchObject({ enrollment_status: 'invited' });
});

test('D72: the external id of an erased creator is kept as a hash with the key next to the sentinel', async () => {
  const agency = await service.agency();
  const { id, external_id } = await agency.linked();
  const workspaceId = agency.workspaceId as WorkspaceId;
  await erase(tool, id as CreatorId, 0);
  const { hashKey } = tool.app.get(Stores, { strict: false });
  const externalIds = [new ErasureHashes(hashKey).externalId(workspaceId, external_id)];
  const roster = await tool.log.readStream(streamName('roster', workspaceId));
  const erased = roster.filter(({ type }) => type === 'roster.creatorErased.v1');
  expect(erased).toMatchObject([{ data: { creatorId: id, externalIds } }]);
  // A process without a sentinel would have this key.
  expect(hashKey).not.toEqual(Buffer.alloc(hashKey.length));
});

test('D72: an erasure that is interrupted before or after the key is destroyed records the destruction once, after it', async () => {
  const agency = await service.agency();
  const endings = async (id: string) =>
    (await about(id)).map(({ type }) => type).filter((type) => type.startsWith('creator.personal'));
  const { id } = await agency.linked();
  const creatorId = id as CreatorId;
  for (const isDestroyed of [false, true]) {
    const destroy = tool.personalKeys.destroy.bind(tool.personalKeys);
    const killed = jest.spyOn(tool.personalKeys, 'destroy').mockImplementation(async (...args) => {
      if (isDestroyed) await destroy(...args);
      throw new Error('killed');
    });
    await expect(erase(tool, creatorId, 0)).rejects.toThrow('killed');
    killed.mockRestore();
    expect(await endings(id)).toEqual(['creator.personalDataErased.v1']);
  }
  for (let n = 0; n < 2; n++) await erase(tool, creatorId, 0);
  expect(await endings(id)).toEqual(['creator.personalDataErased.v1', 'creator.personalKeyDestroyed.v1']);
});

test('deliveries about a creator that was erased fail with `erased` (D58)', async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  receiver.answersBy((response) => response.writeHead(503).end());
  await agency.endpoint(receiver.url);
  const creator = await agency.linked();
  await service.quiet();
  expect(await agency.deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
  await erase(tool, creator.id as CreatorId, 0);
  await service.pass(2 * MINUTE);
  expect(await agency.deliveries()).toMatchObject([{ status: 'failed', attempts: 1, lastError: 'erased' }]);
  expect(receiver.received).toHaveLength(1);
});
