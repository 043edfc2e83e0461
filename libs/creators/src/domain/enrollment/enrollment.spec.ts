import { describe, expect, it } from '@jest/globals';
import {
  byImport,
  byLink,
  creatorOf,
  enrolling,
  fact,
  goodStanding,
  identityObserved,
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
import { requireWritable } from '../creator.state.js';
import { givenCreator } from '../effects.fixtures.js';
import { enrollByLink, importCreator, rebind } from './enrollment.js';

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
      .then([identityObserved(nativeIdentity, mergedIdentity)]);
  });

  it('reading the roster never activates: the imported creator is linked and not activated', () => {
    expect(creatorOf(imported)).toMatchObject({
      enrollment: { status: 'linked', via: 'import' },
      protection: { status: 'not_activated' },
      slot: { isWanted: false, isConfirmed: true },
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
      .then([byLink, identityObserved(nativeIdentity, submitted), standingObserved()]);
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
