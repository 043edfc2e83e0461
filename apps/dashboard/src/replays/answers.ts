import type { ListOf } from '../answers.js';

export interface ReplayAnswer {
  /** That of the endpoint, which has one replay at a time. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly status: 'running' | 'ended';
  readonly reason: 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked' | null;
  /** Deliveries that matched when it was requested, up to 10,000. */
  readonly total: number;
  readonly total_is_more: boolean;
  readonly replayed: number;
  readonly requested_at: number;
  readonly ended_at: number | null;
}

export type ReplaysAnswer = ListOf<ReplayAnswer>;
