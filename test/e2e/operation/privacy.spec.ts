import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { selectedEvents } from '#auditing';
import { type CreatorId, ERASED, HOUR, liveOnes, MINUTE, type RecordedEvent } from '#kernel';
import { ALL_PROJECTIONS } from '#read-models';
import { verifyLog } from '#tamper-evidence';
import { erase, exported, preview } from '../../../apps/cli/src/privacy.js';
import { createServices, openStores } from '../../../apps/composition/src/index.js';
import { configuredSealKey } from '../../../apps/composition/src/seal-key.js';
import { openStoredLog } from '../../../apps/composition/src/stores.js';
import { bodyOf } from '../support/api-client.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });
/** The operators' tool, a process of its own on the same stores. */
const tool = await createServices(service.services.config, await openStores(service.services.config), service.clock);
afterAll(() => tool.close());

const NAME = 'Canaria Quellstein';
const ALIAS = 'canaria-alias';
const URL_PART = 'canaria-leak';

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
  const told = await agency.told();
  expect(told.filter(({ data }) => data.creator_id === creator.id).length).toBeGreaterThan(3);
  service.clock.advance(HOUR);
  const id = creator.id as CreatorId;

  // Nothing personal has ever stood in the log's file.
  expect(JSON.stringify(await exported(tool, id))).toContain(NAME);
  for (const text of [NAME, ALIAS]) expect(inFile('events.db', text)).toBe(false);

  const shown = await preview(tool, id);
  expect(shown).toMatchObject({ erased: false, protection: 'active', membership: 'current' });
  expect(Object.keys(shown.becomes_unreadable)).toEqual(
    expect.arrayContaining(['case', 'creator', 'eventFeed', 'impersonation', 'roster', 'scan']),
  );
  expect((await agency.api.get(`/v1/creators/${creator.id}`)).status).toBe(200);

  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const usage = () => agency.api.got<Record<string, unknown>>(`/v1/usage?month=${month}`);
  const used = await usage();
  await tool.sealing.sealAll(service.clock.now());
  const remembered = () => service.services.personalKeys.keysOf([id]);
  expect((await remembered()).get(id)).toBeInstanceOf(Uint8Array);

  expect(await erase(tool, id)).toMatchObject({ creator_id: creator.id, erased: true });
  // The service could neither read nor write any more of it when the read models were made anew.
  expect((await remembered()).get(id)).toBeNull();
  expect(await preview(tool, id)).toMatchObject({
    erased: true,
    personal_key: 'destroyed',
    membership: 'erased',
    becomes_unreadable: {},
  });
  await service.quiet();
  // Nothing to which a rollback could return.
  expect(await liveOnes(tool.documents, ALL_PROJECTIONS)).toEqual(
    new Map(ALL_PROJECTIONS.map(({ name }) => [name, expect.not.objectContaining({ replaced: expect.anything() })])),
  );

  for (const path of ['', '/cases', '/impersonations', '/activity', '/report']) {
    expect((await agency.api.get(`/v1/creators/${creator.id}${path}`)).status).toBe(404);
  }
  expect((await agency.api.get(`/v1/scans/${scan.id}`)).status).toBe(404);
  const roster = await agency.api.got<{ data: { id: string }[] }>('/v1/creators');
  expect(roster.data.map((member) => member.id)).toEqual([other.id]);
  // D58: taken out of the feed; others' events stay.
  const left = await agency.told();
  expect(left.filter(({ data }) => data.creator_id === creator.id)).toEqual([]);
  expect(left.some(({ data }) => data.creator_id === other.id)).toBe(true);

  // History and exports show that it was erased, ids and times stay.
  const history = JSON.stringify(await about(creator.id));
  expect(history).toContain(ERASED);
  for (const text of [NAME, ALIAS, URL_PART, 'example.com']) expect(history).not.toContain(text);
  const copy = await exported(tool, id);
  expect(copy).toMatchObject({ personal_key: 'destroyed', creator: { identity: { displayName: ERASED } } });

  // Usage is what it was: the hour until it was erased.
  expect(used).toMatchObject({ active_creator_count: 2 });
  expect(await usage()).toEqual(used);

  // Every hash and seal still holds.
  const stored = await openStoredLog(service.services.config);
  const verified = await verifyLog(stored, configuredSealKey(service.services.config).publicKey);
  await stored.close();
  expect(verified).toMatchObject({ faultCount: 0, faults: [] });
  expect(verified.seals).toBeGreaterThan(0);

  // It does not come back by itself, and nothing more is recorded of it.
  await service.pass(HOUR);
  const recorded = await about(creator.id);
  expect(recorded.at(-1)?.type).toBe('creator.slotReleased.v1');
  await service.pass(HOUR);
  await agency.api.got('/v1/creators');
  expect(await about(creator.id)).toEqual(recorded);
  expect(await erase(tool, id, 0)).toMatchObject({ erased: true });
});

test('an agency can not enroll again who was erased, and a creator under enrollment is not erased', async () => {
  const agency = await service.agency();
  const creator = await agency.linked();
  await erase(tool, creator.id as CreatorId, 0);
  expect((await agency.api.enroll(agency.linkBody(creator.userId))).status).toBe(404);
  const invited = await agency.invited();
  await expect(erase(tool, invited.id as CreatorId, 0)).rejects.toThrow('invalid_request');
  expect(bodyOf(await agency.api.get(`/v1/creators/${invited.id}`))).toMatchObject({ enrollment_status: 'invited' });
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
