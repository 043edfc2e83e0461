import { Injectable } from '@nestjs/common';
import { type AgencyScope, CreatorAccess, type FoundCreator } from '#creators';
import { type CaseId, type CommandContext, DomainError, holds, type LoadedState } from '#kernel';
import { isKnownCase, type KnownCase } from '../domain/case.js';
import { CaseRepository } from './case-synchronization.js';

interface AccessibleCase {
  readonly found: LoadedState<KnownCase, CaseId>;
  readonly creator: FoundCreator;
}

@Injectable()
export class CaseAccess {
  constructor(
    private readonly cases: CaseRepository,
    private readonly creators: CreatorAccess,
  ) {}

  /** The case with its creator, if this agency can see both, otherwise `not_found` (D9). */
  async accessible(caseId: CaseId, scope: AgencyScope, context: CommandContext): Promise<AccessibleCase> {
    const found = await this.cases.load(caseId);
    if (!holds(found, isKnownCase) || found.state.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    return { found, creator: await this.creators.forWrite(found.state.creatorId, scope, context) };
  }
}
