import { Injectable } from '@nestjs/common';
import { type AgencyScope, CreatorAccess, type FoundCreator, type LinkedCreator, type Synchronized } from '#creators';
import { type CaseId, type CommandContext, DomainError, holds } from '#kernel';
import { isKnownCase, type KnownCase } from '../domain/case.js';
import { CaseRepository, type LoadedCase } from './case.repository.js';
import { CaseSynchronization, type SynchronizationOptions } from './case-synchronization.js';

export interface AccessibleCase {
  readonly found: LoadedCase<KnownCase>;
  readonly creator: FoundCreator;
}

@Injectable()
export class CaseAccess {
  constructor(
    private readonly cases: CaseRepository,
    private readonly creators: CreatorAccess,
    private readonly synchronization: CaseSynchronization,
  ) {}

  find(caseId: CaseId): Promise<LoadedCase> {
    return this.cases.load(caseId);
  }

  /** The case with its creator, if this agency can see both, otherwise `not_found` (D9). */
  async accessible(caseId: CaseId, scope: AgencyScope, context: CommandContext): Promise<AccessibleCase> {
    const found = await this.find(caseId);
    if (!holds(found, isKnownCase) || found.state.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    return { found, creator: await this.creators.forWrite(found.state.creatorId, scope, context) };
  }

  synchronize(
    creator: LinkedCreator,
    context: CommandContext,
    options?: SynchronizationOptions,
  ): Promise<Synchronized> {
    return this.synchronization.recent(creator, context, options);
  }
}
