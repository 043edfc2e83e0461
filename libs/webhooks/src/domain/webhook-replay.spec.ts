import { describe, expect, it } from '@jest/globals';
import { at, folded, given, type Past } from '#testing';
import { endpointId, registration, workspaceId } from '../webhook.fixtures.js';
import {
  advanceReplay,
  endReplay,
  requestReplay,
  type WebhookReplay,
  type WebhookReplayEvent,
  webhookReplayDecider,
} from './webhook-replay.js';

const request = {
  endpointId,
  agencyId: registration.agencyId,
  workspaceId,
  filter: { status: 'failed' as const, to: 100 },
  total: { count: 3, isMore: false },
};
const requested: WebhookReplayEvent = { type: 'webhookReplay.requested.v1', data: request };
const advanced = (replayed: number, after: string | null): WebhookReplayEvent => ({
  type: 'webhookReplay.advanced.v1',
  data: { endpointId, replayed, after },
});
const ended = (reason: 'completed' | 'ended_by_person'): WebhookReplayEvent => ({
  type: 'webhookReplay.ended.v1',
  data: { endpointId, reason },
});

const givenReplay = (past: Past<WebhookReplayEvent>) => given(webhookReplayDecider, past);
const ask = (state: WebhookReplay) => requestReplay(state, request);
const advance =
  (before: string | null, next: string | null, number = 1) =>
  (state: WebhookReplay) =>
    advanceReplay(state, { number, before, replayed: 2, next });

describe('a replay of all that matches', () => {
  it('is the only one under way for its endpoint', () => {
    givenReplay([]).when(ask).then([requested]);
    givenReplay([requested]).when(ask).thenRefused('invalid_request');
    givenReplay([requested, ended('completed')])
      .when(ask)
      .then([requested]);
  });

  it('goes on after what was replayed, and records each step once', () => {
    givenReplay([requested])
      .when(advance(null, 'whd_2'))
      .then([advanced(2, 'whd_2')]);
    const past = [requested, advanced(2, 'whd_2')];
    givenReplay(past).when(advance(null, 'whd_2')).thenNothing();
    expect(folded(webhookReplayDecider, past)).toMatchObject({ status: 'running', replayed: 2, after: 'whd_2' });
  });

  it('is complete when nothing is left', () => {
    givenReplay([requested])
      .when(advance(null, null))
      .then([advanced(2, null), ended('completed')]);
    const past = [requested, advanced(2, null), at(9, ended('completed'))];
    expect(folded(webhookReplayDecider, past)).toMatchObject({ status: 'ended', reason: 'completed', endedAt: 9 });
  });

  it('ends once, and does not go on then', () => {
    const end = (state: WebhookReplay) => endReplay(state, 'ended_by_person');
    givenReplay([requested])
      .when(end)
      .then([ended('ended_by_person')]);
    givenReplay([requested, ended('ended_by_person')])
      .when(end)
      .thenNothing();
    givenReplay([requested, ended('ended_by_person')])
      .when(advance(null, 'whd_2'))
      .thenNothing();
    givenReplay([]).when(end).thenNothing();
  });

  it('begins again from nothing', () => {
    const past = [requested, advanced(2, 'whd_2'), ended('completed'), at(5, requested)];
    expect(folded(webhookReplayDecider, past)).toMatchObject({
      status: 'running',
      number: 2,
      replayed: 0,
      after: null,
      requestedAt: 5,
    });
  });

  it('is not advanced by a late step of the one before', () => {
    const past = [requested, ended('ended_by_person'), requested];
    givenReplay(past)
      .when(advance(null, 'whd_2', 1))
      .thenNothing();
    givenReplay(past)
      .when(advance(null, 'whd_2', 2))
      .then([advanced(2, 'whd_2')]);
  });
});
