import { describe, expect, it } from '@jest/globals';
import { type Effect } from '#kernel';
import type { NativeCreator } from '../../application/ports.js';
import {
  byImport,
  byLink,
  creatorOf,
  enrolling,
  fact,
  goodStanding,
  identityObserved,
  identityWritten,
  imported,
  importLinked,
  joined,
  linked,
  linking,
  mergedIdentity,
  miaUser,
  native,
  nativeIdentity,
  pendingOnboarding,
  standingObserved,
  submitted,
} from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import { done, givenCreator, refused, unknown } from './enrollment.fixtures.js';
import { enrollByLink, importCreator, rebind, recordIdentityWrite, requireWritable } from './enrollment.js';

describe('importing a member of the roster', () => {
  const importing = { ...enrolling, externalId: `svc:${miaUser}` };

  it('D40: creates the creator, and records its standing immediately', () => {
    givenCreator([])
      .when((state) => importCreator(state, importing, native()))
      .then([byImport, identityObserved(nativeIdentity), standingObserved()]);
  });

  it('the import is idempotent: an unchanged member adds nothing', () => {
    givenCreator(imported)
      .when((state) => importCreator(state, importing, native()))
      .thenNothing();
  });

  it('a member that was enrolled before is only observed', () => {
    givenCreator(linked)
      .when((state) => importCreator(state, importing, native({ identity: nativeIdentity })))
      .then([identityObserved(nativeIdentity)]);
  });

  it('reading the roster never activates: the imported creator is linked and not activated', () => {
    expect(creatorOf(imported)).toMatchObject({
      enrollment: { status: 'linked', via: 'import' },
      protection: { status: 'not_activated' },
      slot: { status: 'free' },
      externalId: `svc:${miaUser}`,
      identityToWrite: null,
    });
  });
});

describe('linking a native user', () => {
  const link = { ...enrolling, userId: miaUser, externalId: 'ext-1', identity: submitted };

  it("records the intent with all that will be written, and the user's standing", () => {
    givenCreator([])
      .when((state) => enrollByLink(state, link, native()))
      .then([byLink, identityObserved(nativeIdentity), standingObserved()]);
  });

  it('is enrolling until the identity has been written', () => {
    expect(creatorOf(linking)).toMatchObject({
      enrollment: { status: 'enrolling', via: 'link' },
      identityToWrite: submitted,
      userId: miaUser,
    });
  });

  it('a retry adds nothing, before and after the identity was written', () => {
    givenCreator(linking)
      .when((state) => enrollByLink(state, link, native()))
      .thenNothing();
    givenCreator(linked)
      .when((state) => enrollByLink(state, link, native({ identity: mergedIdentity })))
      .thenNothing();
  });

  it("rule 4: the roster's import keeps its id and takes the supplied external id", () => {
    givenCreator(imported)
      .when((state) => enrollByLink(state, link, native()))
      .then([importLinked]);
    expect(creatorOf([...imported, importLinked])).toMatchObject({
      creatorId: enrolling.creatorId,
      externalId: 'ext-1',
      enrollment: { status: 'enrolling', via: 'link' },
      identityToWrite: submitted,
      identity: nativeIdentity,
      protection: { status: 'not_activated' },
    });
  });

  it('D25: an import may be enrolled under its own automatic external id', () => {
    const externalId = `svc:${miaUser}`;
    givenCreator(imported)
      .when((state) => enrollByLink(state, { ...link, externalId }, native()))
      .then([fact('importLinked', { epoch: 1, personal: { externalId, identity: submitted } })]);
  });

  it('an import is linked once', () => {
    givenCreator([...imported, importLinked])
      .when((state) => enrollByLink(state, link, native()))
      .thenNothing();
  });

  it('changes since the import are observed before it is linked', () => {
    const standing = { entitlement: { active: false, source: null } };
    givenCreator(imported)
      .when((state) => enrollByLink(state, link, native(standing)))
      .then([standingObserved(standing), importLinked]);
  });
});

describe('writing the submitted identity', () => {
  const write = (effect: Effect<NativeCreator>) => (state: ReturnType<typeof creatorDecider.evolve>) =>
    recordIdentityWrite(state, effect);
  const written = done(native({ identity: mergedIdentity }));
  const writeUnknown = fact('identityWriteUnknown', {});

  it("D30: a successful write is recorded with the platform's result", () => {
    givenCreator(linking)
      .when(write(written))
      .then([identityObserved(mergedIdentity), identityWritten]);
    expect(creatorOf(linked)).toMatchObject({
      enrollment: { status: 'linked', via: 'link' },
      identity: mergedIdentity,
      identityToWrite: null,
    });
  });

  it('D30: happens once', () => {
    for (const effect of [written, refused('not_found'), unknown])
      givenCreator(linked).when(write(effect)).thenNothing();
  });

  it.each([
    ['unknown', unknown],
    ['refused', refused('identity_rejected')],
  ])('D28: a link whose identity write is %s is uncertain, and its identity is still to be written', (_how, effect) => {
    givenCreator(linking).when(write(effect)).then([writeUnknown]);
    expect(creatorOf([...linking, writeUnknown])).toMatchObject({
      enrollment: { status: 'uncertain', via: 'link' },
      identityToWrite: submitted,
    });
  });

  it('D28: a second unknown outcome adds nothing', () => {
    givenCreator([...linking, writeUnknown])
      .when(write(unknown))
      .thenNothing();
  });

  it('D28: the same payload, or the worker, settles it', () => {
    const settled = [identityObserved(mergedIdentity), identityWritten];
    givenCreator([...linking, writeUnknown])
      .when(write(written))
      .then(settled);
    expect(creatorOf([...linking, writeUnknown, ...settled]).enrollment).toEqual({ status: 'linked', via: 'link' });
  });

  it('D28: the link of an import is uncertain in the same way', () => {
    givenCreator([...imported, importLinked])
      .when(write(unknown))
      .then([writeUnknown]);
  });

  it('D30: an invited creator stays linked while its identity has yet to be written', () => {
    for (const effect of [refused('identity_rejected'), unknown])
      givenCreator(joined).when(write(effect)).thenNothing();
    expect(creatorOf(joined)).toMatchObject({ enrollment: { status: 'linked' }, identityToWrite: submitted });
  });

  it('D30: an invited creator gets its identity written after onboarding', () => {
    const settled = [identityObserved(mergedIdentity), identityWritten];
    givenCreator(joined).when(write(written)).then(settled);
    expect(creatorOf([...joined, ...settled])).toMatchObject({
      enrollment: { status: 'linked', via: 'invitation' },
      identityToWrite: null,
    });
  });

  it('there is nothing to write for an import or an unknown creator', () => {
    givenCreator(imported).when(write(written)).thenNothing();
    givenCreator([]).when(write(written)).thenNothing();
  });
});

describe('the binding that a creator is under', () => {
  it('D21: a matching enrollment or a roster read brings it under the present one', () => {
    givenCreator(linked)
      .when((state) => rebind(state, 2))
      .then([fact('rebound', { epoch: 2 })]);
    expect(creatorOf([...linked, fact('rebound', { epoch: 2 })]).epoch).toBe(2);
  });

  it('D21: never goes back, and is recorded once', () => {
    const rebound = [...linked, fact('rebound', { epoch: 2 })];
    givenCreator(rebound)
      .when((state) => rebind(state, 2))
      .thenNothing();
    givenCreator(rebound)
      .when((state) => rebind(state, 1))
      .thenNothing();
    givenCreator([])
      .when((state) => rebind(state, 2))
      .thenNothing();
  });

  it('D21: a write to a creator of an earlier epoch is refused', () => {
    const creator = creatorOf(linked);
    expect(() => requireWritable(creator, 2)).toThrow('creator_rebinding_required');
    expect(() => requireWritable(creator, 1)).not.toThrow();
  });

  it('D21: linking an import again brings it under the binding of the enrollment', () => {
    const event = fact('importLinked', { epoch: 3, personal: { externalId: 'ext-1', identity: submitted } });
    expect(creatorOf([...imported, event]).epoch).toBe(3);
    const link = { ...enrolling, epoch: 3, userId: miaUser, externalId: 'ext-1', identity: submitted };
    givenCreator(imported)
      .when((state) => enrollByLink(state, link, native()))
      .then([event]);
  });

  it('D21: linking an import under an earlier binding does not bring it back there', () => {
    const link = { ...enrolling, userId: miaUser, externalId: 'ext-1', identity: submitted };
    givenCreator([...imported, fact('rebound', { epoch: 2 })])
      .when((state) => enrollByLink(state, link, native()))
      .then([fact('importLinked', { epoch: 2, personal: { externalId: 'ext-1', identity: submitted } })]);
  });
});

describe('standing without a native user', () => {
  it('D30: is not observed before onboarding is complete', () => {
    expect(goodStanding.onboardingComplete).toBe(true);
    expect(creatorOf(pendingOnboarding)).toMatchObject({ userId: null, standing: null });
    expect(creatorOf(joined)).toMatchObject({ userId: miaUser, standing: goodStanding });
  });
});
