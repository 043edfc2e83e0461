import type { Instant } from '#kernel';
import type { ImpersonationRow } from '../read-models/impersonation-list.js';

export interface PublicImpersonation {
  readonly id: string;
  readonly creator_id: string;
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly available: boolean;
  readonly simulated: false;
}

export const publicImpersonation = (row: ImpersonationRow): PublicImpersonation => {
  const { impersonationId, creatorId, available, record } = row;
  return {
    id: impersonationId,
    creator_id: creatorId,
    platform: record.platform,
    url: record.url,
    username: record.username,
    status: record.status,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    available,
    simulated: false,
  };
};
