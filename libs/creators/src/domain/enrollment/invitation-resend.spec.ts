import { describe, expect, it } from '@jest/globals';
import { agencyId, derivedId } from '#kernel';
import { folded, given, type Past } from '#testing';
import { agency, mia } from '../creator.fixtures.js';
import * as effects from '../effects.fixtures.js';
import {
  type InvitationResend,
  type InvitationResendEvent,
  invitationResendDecider,
  invitationResendIdOf,
  recordResend,
  requestResend,
} from './invitation-resend.js';

const resending = { creatorId: mia, invitationId: 'inv_1' };
const outcome = { creatorId: mia, emailSent: true, expiresAt: 9_000 };
const requested: InvitationResendEvent = { type: 'invitationResend.requested.v1', data: resending };
const unknown: InvitationResendEvent = { type: 'invitationResend.outcomeLost.v1', data: { creatorId: mia } };
const refused: InvitationResendEvent = {
  type: 'invitationResend.refused.v1',
  data: { creatorId: mia, code: 'capacity_reached' },
};
const done: InvitationResendEvent = { type: 'invitationResend.sent.v1', data: outcome };

const givenResend = (past: Past<InvitationResendEvent>) => given(invitationResendDecider, past);
const request = (state: InvitationResend) => requestResend(state, resending);
const record = (effect: Parameters<typeof recordResend>[2]) => (state: InvitationResend) =>
  recordResend(state, mia, effect);
const conclude = record(effects.done({ emailSent: true, expiresAt: 9_000 }));
const refuse = record(effects.refused('capacity_reached'));
const loseOutcome = record(effects.unknown);

describe('a resend', () => {
  it('is requested once, also while its outcome is unknown', () => {
    givenResend([]).when(request).then([requested]);
    for (const past of [[requested], [requested, unknown], [requested, done]]) {
      givenResend(past).when(request).thenNothing();
    }
  });

  it('D39: is for one creator', () => {
    const eve = { ...resending, creatorId: derivedId('creator', 'eve') };
    for (const past of [[requested], [requested, unknown], [requested, done]]) {
      givenResend(past)
        .when((state) => requestResend(state, eve))
        .thenRefused('idempotency_conflict');
    }
  });

  it('D45: that was refused has consumed no key, not even for another creator', () => {
    givenResend([requested, refused]).when(request).then([requested]);
    const eve = { ...resending, creatorId: derivedId('creator', 'eve') };
    givenResend([requested, refused])
      .when((state) => requestResend(state, eve))
      .then([{ type: 'invitationResend.requested.v1', data: eve }]);
  });

  it('is sent once, after any earlier outcome', () => {
    for (const past of [[requested], [requested, unknown], [requested, refused]]) {
      givenResend(past).when(conclude).then([done]);
    }
    givenResend([requested, done]).when(conclude).thenNothing();
    for (const decide of [loseOutcome, refuse]) givenResend([requested, done]).when(decide).thenNothing();
    expect(folded(invitationResendDecider, [requested, done])).toEqual({
      status: 'done',
      creatorId: mia,
      emailSent: true,
    });
  });

  it('its unknown outcome is recorded once, and a refusal only while it is open', () => {
    givenResend([requested]).when(loseOutcome).then([unknown]);
    givenResend([requested, unknown]).when(loseOutcome).thenNothing();
    givenResend([requested, unknown]).when(refuse).then([refused]);
    for (const decide of [loseOutcome, refuse]) {
      givenResend([]).when(decide).thenNothing();
      givenResend([requested, refused]).when(decide).thenNothing();
    }
  });

  it("a newer service's event changes nothing", () => {
    const event = { type: 'invitationResend.opened.v1', data: {} } as unknown as InvitationResendEvent;
    expect(folded(invitationResendDecider, [requested, event])).toEqual(folded(invitationResendDecider, [requested]));
    expect(folded(invitationResendDecider, [unknown])).toEqual({ status: 'none' });
  });
});

it('D39: is named by agency and key, within the length of a key', () => {
  const id = invitationResendIdOf(agency, 'k');
  expect(invitationResendIdOf(agency, 'k')).toBe(id);
  expect(invitationResendIdOf(agencyId('ag_other'), 'k')).not.toBe(id);
  expect(invitationResendIdOf(agency, 'k2')).not.toBe(id);
  expect(id.length).toBeLessThanOrEqual(120);
});
