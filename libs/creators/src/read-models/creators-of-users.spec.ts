import { expect, it } from '@jest/globals';
import { derivedId, streamName } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { eveUser, mia, miaUser } from '../domain/creator.fixtures.js';
import {
  admitted,
  eve,
  imported,
  miaInvited,
  replaced,
  request,
  userLinked,
  zoe,
  zoeUser,
} from '../domain/enrollment/roster.fixtures.js';
import type { RosterEvent } from '../domain/enrollment/roster.js';
import { type CreatorOfUserDocument, CreatorsOfUsers, creatorsOfUsersProjection } from './creators-of-users.js';

const workspaceId = derivedId('workspace', 'ag_lumen');

it('knows the creator of each user that was linked, imported, or accepted an invitation, in its workspace', async () => {
  const projecting = new Projecting<CreatorOfUserDocument, RosterEvent>(creatorsOfUsersProjection);
  const users = new CreatorsOfUsers(projecting.readModel);
  const stream = streamName('roster', workspaceId);
  const past = [imported(eve, eveUser), replaced(request(eve, 'ext-eve', eveUser)), admitted(miaInvited)];
  for (const event of past) await projecting.record(stream, event);
  expect(await users.find(workspaceId, [eveUser, miaUser])).toEqual([eve, undefined]);
  await projecting.record(stream, userLinked(mia, miaUser));
  await projecting.record(stream, admitted(request(zoe, 'ext-zoe', zoeUser)));
  expect(await users.find(workspaceId, [zoeUser, miaUser, eveUser])).toEqual([zoe, mia, eve]);
  expect(await users.find(derivedId('workspace', 'another'), [miaUser])).toEqual([undefined]);
});
