import { beforeEach, describe, expect, it } from '@jest/globals';
import { agencyId, type CreatorId, derivedId } from '#kernel';
import { miaUser, native } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';
import { creatorLease } from './creator-access.js';
import type { AgencyScope } from './creator-ports.js';

const other: AgencyScope = { agencyId: agencyId('ag_nova'), workspaceId: derivedId('workspace', 'nova'), epoch: 1 };

let s: Stage;
let mia: CreatorId;
let taken: string[];

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  mia = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  taken = [];
  const acquire = s.documents.acquireLease.bind(s.documents);
  s.documents.acquireLease = (name, ...rest) => {
    taken.push(name);
    return acquire(name, ...rest);
  };
});

describe.each<[string, (creatorId: CreatorId, scope: AgencyScope) => Promise<unknown>]>([
  ['a change of names', (id, scope) => s.updateCreator(id, scope, { aliases: ['new'] }, s.context)],
  ['an activation', (id, scope) => s.activateProtection(id, scope, s.context)],
  ['a pause', (id, scope) => s.pauseProtection(id, scope, s.context)],
  ['a removal', (id, scope) => s.removeCreator(id, scope, s.context)],
  ['another invitation', (id, scope) => s.resendInvitation(id, scope, 'key', s.context)],
])('%s', (_, request) => {
  it.each([
    ['of another workspace', () => mia],
    ['that nobody enrolled', () => derivedId('creator', 'nobody')],
  ])('D9: of a creator %s takes no lease', async (_which, creatorId) => {
    await expect(request(creatorId(), other)).rejects.toMatchObject({ code: 'not_found' });
    s.runner.forget();
    await expect(request(creatorId(), other)).rejects.toMatchObject({ code: 'not_found' });
    expect(taken).toEqual([]);
  });

  it('runs under the lease of its creator, whether that is cached or not', async () => {
    // A removal and another invitation are refused for one that is onboarded.
    await request(mia, s.scope).catch(() => undefined);
    s.runner.forget();
    await request(mia, s.scope).catch(() => undefined);
    expect(taken).toEqual([creatorLease(mia), creatorLease(mia)]);
  });
});
