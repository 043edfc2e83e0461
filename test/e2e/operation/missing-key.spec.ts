import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { ALL_PROJECTIONS } from '#contexts';
import { HOUR } from '#kernel';
import { startService } from '../support/start-service.js';

const service = await startService();

/** As a backup of the keys that is too old for one creator. */
const withoutKey = async (creatorId: string): Promise<() => Promise<void>> => {
  const file = join(service.services.config.dataDir, 'personal-keys.db');
  let wrapped: Uint8Array | undefined;
  await service.restart({}, async () => {
    const keys = new DatabaseSync(file);
    const row = keys.prepare('DELETE FROM personal_keys WHERE creator_id = ? RETURNING wrapped').get(creatorId);
    wrapped = row?.wrapped as Uint8Array;
    keys.close();
  });
  return () =>
    service.restart({}, async () => {
      const keys = new DatabaseSync(file);
      keys.prepare('INSERT INTO personal_keys (creator_id, wrapped) VALUES (?, ?)').run(creatorId, wrapped ?? null);
      keys.close();
    });
};

const isEmbedded = process.env.E2E_DOCUMENTS === undefined;
const whereEmbedded = isEmbedded ? '' : ', skipped as E2E_DOCUMENTS is set: the keys are not in a file';

(isEmbedded ? test : test.skip)(
  `D71: where the key of one creator is missing, nothing of it is shown, sent or recorded, and nobody else notices${whereEmbedded}`,
  async () => {
    const agency = await service.agency();
    const invited = await agency.invited({ external_id: 'ext-lost' });
    const invitation = agency.inviteBody({ external_id: 'ext-lost' });
    const linked = await agency.linked();
    const other = await service.agency();
    const elsewhere = await other.linked();
    await agency.publishedEvents();
    await service.quiet();
    const mails = await service.platform.effects();

    const restore = await withoutKey(invited.id);
    const lost = [
      await agency.api.get(`/v1/creators/${invited.id}`),
      await agency.api.get('/v1/events'),
      // Nobody can say whose external id it is: a second mail must not go out.
      await agency.api.enroll(invitation),
      await agency.api.enroll(agency.inviteBody()),
    ];
    expect(lost.map(({ outcome }) => outcome)).toEqual(lost.map(() => '503 provider_unavailable'));
    expect((await agency.api.get(`/v1/creators/${linked.id}`)).status).toBe(200);
    expect((await other.api.get(`/v1/creators/${elsewhere.id}`)).status).toBe(200);
    expect((await other.api.enroll(other.inviteBody())).status).toBe(201);
    await service.pass(HOUR);
    expect((await service.platform.effects()).mails_by_invitation).toEqual(
      expect.objectContaining(mails.mails_by_invitation),
    );

    await restore();
    expect((await agency.api.get(`/v1/creators/${invited.id}`)).status).toBe(200);
    expect((await agency.api.get('/v1/events')).status).toBe(200);
  },
);

(isEmbedded ? test : test.skip)(
  `D71: what a read model was filled with while the key was missing is shown to nobody, and gone with a rebuild${whereEmbedded}`,
  async () => {
    const agency = await service.agency();
    const [lost, other] = [await agency.linked(), await agency.linked()];
    for (const { id, userId } of [lost, other]) {
      await agency.leaks(userId, 2);
      await agency.impersonations(userId, 1);
      expect(await agency.api.cases(id)).toHaveLength(2);
      await agency.api.got(`/v1/creators/${id}/impersonations`);
    }
    await service.quiet();
    const restore = await withoutKey(lost.id);
    await service.services.rebuild.run(ALL_PROJECTIONS);
    await restore();
    for (const list of ['cases', 'report', 'impersonations']) {
      expect((await agency.api.get(`/v1/creators/${lost.id}/${list}`)).outcome).toBe('503 provider_unavailable');
      expect((await agency.api.get(`/v1/creators/${other.id}/${list}`)).outcome).toBe('200');
    }
    await service.services.rebuild.run(ALL_PROJECTIONS);
    expect(await agency.api.cases(lost.id)).toHaveLength(2);
    expect((await agency.api.get(`/v1/creators/${lost.id}/impersonations`)).outcome).toBe('200');
  },
);
