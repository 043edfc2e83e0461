import {
  type AgencyId,
  type Decider,
  DomainError,
  type Instant,
  invalidRequest,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';
import type { DeliveryFilter } from './webhook-delivery.js';
import type { OfEndpoint } from './webhook-endpoint.events.js';

/** Those of one endpoint, up to a time no later than the request, so that a replay has an end. */
type ReplayFilter = DeliveryFilter & { readonly to: Instant };

export interface MatchCount {
  readonly count: number;
  readonly isMore: boolean;
}

export type ReplayEnd = 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked';

/** An endpoint's replays of all that matches, one after the other. */
export type WebhookReplayEvent =
  | {
      readonly type: 'webhookReplay.requested.v1';
      readonly data: OfEndpoint & {
        readonly agencyId: AgencyId;
        readonly workspaceId: WorkspaceId;
        readonly filter: ReplayFilter;
        readonly total: MatchCount;
      };
    }
  /** The next ones come after this delivery or event; null says that none do. */
  | {
      readonly type: 'webhookReplay.advanced.v1';
      readonly data: OfEndpoint & { readonly replayed: number; readonly after: string | null };
    }
  | { readonly type: 'webhookReplay.ended.v1'; readonly data: OfEndpoint & { readonly reason: ReplayEnd } };

export type ReplayRequest = Extract<WebhookReplayEvent, { type: 'webhookReplay.requested.v1' }>['data'];

/** The latest replay of an endpoint. */
export interface RequestedReplay extends ReplayRequest {
  readonly status: 'running' | 'ended';
  /** The endpoint's replays are counted from 1. */
  readonly number: number;
  readonly requestedAt: Instant;
  readonly replayed: number;
  /** The delivery or event after which the next ones come; null before the first ones. */
  readonly after: string | null;
  /** Null until it ends. */
  readonly reason: ReplayEnd | null;
  readonly endedAt: Instant | null;
}

export type WebhookReplay = { readonly status: 'none' } | RequestedReplay;

export const webhookReplayDecider: Decider<WebhookReplay, WebhookReplayEvent> = {
  category: 'webhookReplay',
  initial: { status: 'none' },
  evolve: (state, event, at) => {
    if (event.type === 'webhookReplay.requested.v1') {
      const number = state.status === 'none' ? 1 : state.number + 1;
      const begun = { requestedAt: at, replayed: 0, after: null, reason: null, endedAt: null };
      return { status: 'running', ...event.data, number, ...begun };
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
  if (state.status === 'running')
    throw invalidRequest({ field: 'endpoint', message: 'already has a replay under way' });
  return [{ type: 'webhookReplay.requested.v1', data: request }];
}

interface ReplayStep {
  readonly number: number;
  readonly before: string | null;
  readonly replayed: number;
  readonly next: string | null;
}

/** Records once what was replayed after `before`. Without a `next` to go on from, the replay is complete. */
export function advanceReplay(
  state: WebhookReplay,
  { number, before, replayed, next }: ReplayStep,
): WebhookReplayEvent[] {
  if (state.status !== 'running' || state.number !== number || state.after !== before) return [];
  const data = { endpointId: state.endpointId, replayed, after: next };
  const ended = next === null ? endReplay(state, 'completed') : [];
  return [{ type: 'webhookReplay.advanced.v1', data }, ...ended];
}

export function endReplay(state: WebhookReplay, reason: ReplayEnd): WebhookReplayEvent[] {
  if (state.status !== 'running') return [];
  return [{ type: 'webhookReplay.ended.v1', data: { endpointId: state.endpointId, reason } }];
}

export const requireReplay = (state: WebhookReplay): RequestedReplay => {
  if (state.status === 'none') throw new DomainError('not_found');
  return state;
};
