import { type Decider, DomainError, type Instant, invalidRequest, unknownEvent } from '#kernel';
import type { ReplayEnd, WebhookReplayEvent } from './webhook-replay.events.js';

export type ReplayRequest = Extract<WebhookReplayEvent, { type: 'webhookReplay.requested.v1' }>['data'];

export interface KnownReplay extends ReplayRequest {
  /** The endpoint's replays are counted from 1. */
  readonly number: number;
  readonly requestedAt: Instant;
  readonly replayed: number;
  /** After which delivery or event the next ones come; null before the first ones. */
  readonly after: string | null;
}

export interface RunningReplay extends KnownReplay {
  readonly status: 'running';
}

/** The latest replay of an endpoint. */
export type WebhookReplay =
  | { readonly status: 'none' }
  | RunningReplay
  | (KnownReplay & { readonly status: 'ended'; readonly reason: ReplayEnd; readonly endedAt: Instant });

export type RequestedReplay = Exclude<WebhookReplay, { readonly status: 'none' }>;

export const webhookReplayDecider: Decider<WebhookReplay, WebhookReplayEvent> = {
  category: 'webhookReplay',
  initial: { status: 'none' },
  evolve: (state, event, at) => {
    if (event.type === 'webhookReplay.requested.v1') {
      const number = state.status === 'none' ? 1 : state.number + 1;
      return { status: 'running', ...event.data, number, requestedAt: at, replayed: 0, after: null };
    }
    if (state.status !== 'running') return state;
    switch (event.type) {
      case 'webhookReplay.advanced.v1':
        return { ...state, replayed: state.replayed + event.data.replayed, after: event.data.after };
      case 'webhookReplay.ended.v1':
        return { ...state, status: 'ended', reason: event.data.reason, endedAt: at };
      default:
        return unknownEvent(event, state);
    }
  },
};

/** The endpoint names the stream, so that no second one is under way for it. */
export function requestReplay(state: WebhookReplay, request: ReplayRequest): WebhookReplayEvent[] {
  if (state.status === 'running') throw invalidRequest({ field: 'endpoint', message: 'has a replay under way' });
  return [{ type: 'webhookReplay.requested.v1', data: request }];
}

interface ReplayStep {
  readonly number: number;
  readonly before: string | null;
  readonly replayed: number;
  readonly next: string | null;
}

/** What was replayed after `before` is recorded once; without a `next` to go on from, the replay is complete. */
export function advanceReplay(
  state: WebhookReplay,
  { number, before, replayed, next }: ReplayStep,
): WebhookReplayEvent[] {
  if (state.status !== 'running' || state.number !== number || state.after !== before) return [];
  const { endpointId } = state;
  const advanced: WebhookReplayEvent = {
    type: 'webhookReplay.advanced.v1',
    data: { endpointId, replayed, after: next },
  };
  return next === null ? [advanced, ...endReplay(state, 'completed')] : [advanced];
}

export function endReplay(state: WebhookReplay, reason: ReplayEnd): WebhookReplayEvent[] {
  if (state.status !== 'running') return [];
  return [{ type: 'webhookReplay.ended.v1', data: { endpointId: state.endpointId, reason } }];
}

export const requireReplay = (state: WebhookReplay): RequestedReplay => {
  if (state.status === 'none') throw new DomainError('not_found');
  return state;
};
