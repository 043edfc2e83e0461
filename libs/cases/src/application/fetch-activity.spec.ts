import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { linked, mia } from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { CasesModule } from '../cases.module.js';
import { FetchActivity } from './fetch-activity.js';
import { type ActivityPage, ActivityPlatform } from './ports.js';

const PAGE: ActivityPage = { records: [], refused: [], nextCursor: null };

let service: TestedContext;
/** The platform's answer; undefined for a user who is not a member. */
let shown: ActivityPage | undefined;

beforeEach(async () => {
  service = await testedContext([CasesModule], [given(ActivityPlatform, platform)]);
  shown = PAGE;
  await service.creatorDid(mia, ...linked);
});

/** It takes half a minute. */
const platform: ActivityPlatform = {
  listActivity: async () => {
    service.clock.advance(30 * SECOND);
    return shown;
  },
};
const fetchActivity = () => service.commands.execute(new FetchActivity(mia, scope, { limit: 10 }, contextOf()));

describe('D78: a page of the activity', () => {
  it('confirms the membership for 60 seconds after it was asked for', async () => {
    const asked = service.clock.now();
    expect(await fetchActivity()).toEqual(PAGE);
    expect(await service.memberships.isConfirmed(mia, asked + MINUTE - 1)).toBe(true);
    expect(await service.memberships.isConfirmed(mia, asked + MINUTE)).toBe(false);
  });

  it('that the platform does not show confirms nothing, and the creator is missing', async () => {
    shown = undefined;
    await expect(fetchActivity()).rejects.toMatchObject({ code: 'not_found' });
    expect(await service.memberships.isConfirmed(mia, service.clock.now())).toBe(false);
    expect((await service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'missing' } });
  });
});
