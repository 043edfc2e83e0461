import type { Published } from '#kernel';
import type { ImpersonationRow } from '../read-models/impersonation-list.js';

export const publicImpersonation = (row: ImpersonationRow) => {
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
    simulated: false as const,
  };
};

export type PublicImpersonation = Published<ReturnType<typeof publicImpersonation>>;
