import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { aService, contextOf, type Service } from '../../../contexts/src/service.fixtures.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import {
  accepted,
  agency,
  byInvitation,
  fact,
  imported,
  invitee,
  joined,
  mia,
  miaUser,
  sent,
  submitted,
  workspaceId,
} from '../domain/creator.fixtures.js';
import type { RosterAdmission, RosterEvent } from '../domain/enrollment/roster.events.js';
import { rosterDecider } from '../domain/enrollment/roster.js';
import { enrollmentCount } from './enrollment-count.fixtures.js';

let service: Service;
let counting: LogConsumer;
beforeEach(async () => {
  service = await aService();
  counting = enrollmentCount(service.runner);
});

const admit = async (via: RosterAdmission['via'] = 'invitation') => {
  const isImport = via === 'import';
  const personal = {
    externalId: 'ext-1',
    fingerprint: isImport ? null : 'f',
    submitted: isImport ? null : { identity: submitted, invitee },
  };
  const data = { creatorId: mia, agencyId: agency, epoch: 1, via, userId: isImport ? miaUser : null, personal };
  const admitted: RosterEvent = { type: 'roster.creatorAdmitted.v1', data };
  await service.runner.run(rosterDecider, workspaceId, contextOf(), () => [admitted]);
};
const counted = async (...events: readonly CreatorEvent[]) => {
  await service.creatorDid(mia, ...events);
  await service.show(counting);
  return (await service.runner.load(rosterDecider, workspaceId)).state.counted;
};

const refused = fact('invitationRefused', { code: 'invitation_rejected' });
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });

describe('the count of enrollments (D31)', () => {
  it.each<[string, readonly CreatorEvent[], number]>([
    ['begun', [byInvitation], 1],
    ['invited', [byInvitation, sent, accepted], 1],
    ['onboarded', joined, 1],
    ['failed', [byInvitation, refused], 0],
    ['expired, which may be sent again', [byInvitation, sent, fact('invitationExpired', {})], 1],
    ['cancelled', [byInvitation, sent, withdrawn('cancelled')], 0],
    ['detached', [byInvitation, sent, withdrawn('detached')], 0],
    ['transferred', [...joined, fact('membershipEnded', {})], 0],
    ['failed and tried again', [byInvitation, refused, sent], 1],
    ['returned', [...joined, fact('membershipEnded', {}), fact('returned', {})], 1],
    ['missing, which may be a mistake', [...joined, fact('memberNotFound', {})], 1],
  ])('of one that is %s', async (_, events, expected) => {
    await admit();
    expect(await counted(...events)).toBe(expected);
  });

  it('never counts an import, not even after its return', async () => {
    await admit('import');
    expect(await counted(...imported, fact('membershipEnded', {}), fact('returned', {}))).toBe(0);
  });

  it('is the same after the log was processed again', async () => {
    await admit();
    await counted(byInvitation, refused, sent, withdrawn('cancelled'));
    expect(await counted()).toBe(0);
  });
});
