import { Injectable } from '@nestjs/common';
import { type CommandContext, type CreatorId, DomainError, invalidRequest, Progress } from '#kernel';
import { readModelsPassed } from '#projections';
import { type AgencyScope, CreatorAccess } from '../access/creator-access.js';
import type { LinkedCreator, Synchronized } from './record-synchronization.js';
import { RequestSynchronizations } from './request-synchronizations.js';

/** Brings what the platform has recorded about a member in step before a list of it is read. */
@Injectable()
export class MemberRecords {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly synchronizations: RequestSynchronizations,
    private readonly progress: Progress,
  ) {}

  /** Resolves when the read models have all of it; `not_found` where the platform does not show the creator. */
  async synchronize(
    kind: 'cases' | 'impersonations',
    creatorId: CreatorId,
    scope: AgencyScope,
    context: CommandContext,
    synchronize: (creator: LinkedCreator, signal: AbortSignal) => Promise<Synchronized>,
  ): Promise<void> {
    const creator = await this.creators.forWrite(creatorId, scope, context);
    const { agencyId, workspaceId, userId } = creator.state;
    if (userId === null) return;
    const linked = { creatorId, agencyId, workspaceId, userId };
    const outcome = await this.synchronizations.run(kind, creatorId, context, (signal) => synchronize(linked, signal));
    if (outcome === 'not_a_member') {
      await this.creators.reportMissing(creator, context);
      throw new DomainError('not_found');
    }
    await readModelsPassed(this.progress, context);
  }

  /** For a list that shows what the worker has recorded: only the membership is confirmed within the request (D78). */
  async confirm(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<void> {
    await this.creators.forRead(creatorId, scope, context);
    await readModelsPassed(this.progress, context);
  }
}

type MemberRecord = { readonly status: 'unknown' } | { readonly status: 'known'; readonly creatorId: CreatorId };

/** D13: a cursor of another creator's list is none. The stream says whose it is, as the list may not have its record yet. */
export const assertCursorOf = (creatorId: CreatorId, record: MemberRecord): void => {
  if (record.status === 'known' && record.creatorId === creatorId) return;
  throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
};
