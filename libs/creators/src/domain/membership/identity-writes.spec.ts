import { describe, expect, it } from '@jest/globals';
import type { Effect } from '#kernel';
import {
  creatorOf,
  fact,
  identityObserved,
  identityWritten,
  imported,
  importLinked,
  joined,
  linked,
  linking,
  mergedIdentity,
  native,
  nativeIdentity,
  standingObserved,
  submitted,
} from '../creator.fixtures.js';
import type { CreatorState } from '../creator.state.js';
import { callFrom, done, givenCreator, refused, unknown } from '../effects.fixtures.js';
import type { NativeCreator } from '../native-records.js';
import { recordIdentityChange, recordIdentityWrite } from './observation.js';

describe('writing the submitted identity', () => {
  const write = (effect: Effect<NativeCreator>) => (state: CreatorState) =>
    recordIdentityWrite(state, effect, callFrom(state));
  const written = done(native({ identity: mergedIdentity }));
  const writeUnknown = fact('identityWriteUnknown', {});

  it('D30: done, it is recorded with what the platform made of it', () => {
    givenCreator(linking)
      .when(write(written))
      .then([identityObserved(mergedIdentity, nativeIdentity), identityWritten]);
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
    const settled = [identityObserved(mergedIdentity, nativeIdentity), identityWritten];
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
    const settled = [identityObserved(mergedIdentity, nativeIdentity), identityWritten];
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

  it('D30: keeps what may be newer than the answer, and shows what was written with it', () => {
    givenCreator(linking)
      .when((state) => recordIdentityWrite(state, done(native()), { intended: state, isOvertaken: true }))
      .then([identityObserved(mergedIdentity, nativeIdentity), identityWritten]);
  });
});

describe('changing the identity', () => {
  const change =
    (effect: Effect<NativeCreator>, isOvertaken = false) =>
    (state: CreatorState) =>
      recordIdentityChange(state, effect, { intended: state, isOvertaken });
  const identity = { ...mergedIdentity, displayName: 'Mia Moon' };

  it('records the creator as the platform shows it then', () => {
    const standing = { entitlement: { active: false, source: null } };
    givenCreator(linked)
      .when(change(done(native({ identity, ...standing }))))
      .then([identityObserved(identity, mergedIdentity), standingObserved(standing)]);
  });

  it('records nothing of an answer that may be older than what was recorded during the call', () => {
    givenCreator(linked)
      .when(change(done(native({ identity })), true))
      .thenNothing();
  });

  it('D43: hides a creator that is no member, also if something was recorded during the call', () => {
    for (const isOvertaken of [false, true]) {
      givenCreator(linked)
        .when(change(refused('not_found'), isOvertaken))
        .then([fact('memberNotFound', {})]);
    }
    givenCreator(linked)
      .when(change(done(native({ isStaff: true }))))
      .then([fact('memberNotFound', {})]);
  });

  it('records nothing of another refusal, or of an unknown outcome', () => {
    for (const effect of [refused('identity_rejected'), unknown])
      givenCreator(linked).when(change(effect)).thenNothing();
  });
});
