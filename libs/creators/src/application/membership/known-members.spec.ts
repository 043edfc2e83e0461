import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, derivedId, type UserId } from '#kernel';
import { eveUser, invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { type Stage, stage } from '../../stage.fixtures.js';

const COLLECTION = 'creators_of_users_v1_1';

let s: Stage;
let rosterReads: number;
beforeEach(async () => {
  s = await stage();
  rosterReads = 0;
  const readStream = s.log.readStream.bind(s.log);
  s.log.readStream = (stream, options) => {
    if (stream.startsWith('roster-')) rosterReads++;
    return readStream(stream, options);
  };
  for (const userId of [miaUser, eveUser]) s.platform.users.set(userId, { ...native(), userId });
});

const observe = async () => (await s.observeRoster(s.scope, { limit: 10 }, s.context)).creators;
/** As after a restart, with a read model that has these rows. */
const restart = async (creators: readonly { readonly creatorId: CreatorId; readonly userId: UserId | null }[]) => {
  const put = creators.map(({ creatorId, userId }) => ({ id: `${s.scope.workspaceId}/${userId}`, creatorId }));
  await s.documents.write([{ collection: COLLECTION, put }]);
  s.runner.forget();
  rosterReads = 0;
};

describe("an agency's own reading of its roster (D88)", () => {
  it('finds known members without a read of the roster, however long that is', async () => {
    const before = await observe();
    await restart(before);
    expect(await observe()).toEqual(before);
    expect(rosterReads).toBe(0);
  });

  it('records what the platform shows of them', async () => {
    await restart(await observe());
    s.platform.users.set(miaUser, { ...native(), userId: miaUser, entitlement: { active: false, source: null } });
    const [mia] = await observe();
    expect(mia?.standing?.entitlement.active).toBe(false);
    expect(rosterReads).toBe(0);
  });

  it('asks the roster where a member is new', async () => {
    const [mia] = await observe();
    await restart(mia === undefined ? [] : [mia]);
    expect(await observe()).toHaveLength(2);
    expect(rosterReads).toBeGreaterThan(0);
  });

  it.each([
    ['another creator', (own: readonly { readonly creatorId: CreatorId }[]) => own[1]?.creatorId],
    ['none that exists', () => derivedId('creator', 'nobody')],
  ])('believes no row that names %s', async (_, wrong) => {
    const before = await observe();
    const creatorId = wrong(before) ?? derivedId('creator', 'nobody');
    await restart(before.map((creator) => (creator.userId === miaUser ? { ...creator, creatorId } : creator)));
    expect(await observe()).toEqual(before);
    expect(rosterReads).toBeGreaterThan(0);
  });

  it('asks the roster for a user that accepted the invitation of another creator, which is detached (D74)', async () => {
    const before = await observe();
    const request = { invitee, externalId: 'ext-again', identity: submitted, fingerprint: 'again' };
    const { creatorId } = (await s.inviteCreator(s.scope, request, s.context)).creator;
    await restart(before);
    s.platform.users.set(miaUser, { ...native(), userId: miaUser, invitationReference: creatorId });
    expect(await observe()).toEqual(before);
    expect((await s.creators.recorded(creatorId)).state).toMatchObject({ enrollment: { status: 'detached' } });
  });
});
