import { Injectable } from '@nestjs/common';
import { type AgencyScope, CreatorAccess, type FoundCreator, type LinkedCreator, type Synchronised } from '#creators';
import { type CaseId, type CommandContext, DomainError, holds } from '#kernel';
import { isKnownCase, type KnownCase } from '../domain/case.js';
import { CaseRepository, type LoadedCase } from './case.repository.js';
import { CaseSynchronisation, type SynchronisationOptions } from './case-synchronisation.js';

export interface AccessibleCase {
  readonly found: LoadedCase<KnownCase>;
  readonly creator: FoundCreator;
}

/** Finds cases for an agency, and keeps those of a creator in step with the platform. */
@Injectable()
export class CaseAccess {
  constructor(
    private readonly cases: CaseRepository,
    private readonly creators: CreatorAccess,
    private readonly synchronisation: CaseSynchronisation,
  ) {}

  find(caseId: CaseId): Promise<LoadedCase> {
    return this.cases.load(caseId);
  }

  /** The case with its creator, if this agency can see both, else `not_found` (D9). */
  async accessible(caseId: CaseId, scope: AgencyScope, context: CommandContext): Promise<AccessibleCase> {
    const found = await this.find(caseId);
    if (!holds(found, isKnownCase) || found.state.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    return { found, creator: await this.creators.accessible(found.state.creatorId, scope, context) };
  }

  /** Reads the leaks that were updated since the last time, or since the finished scan was queued; observes no removal. */
  synchronise(
    creator: LinkedCreator,
    context: CommandContext,
    options?: SynchronisationOptions,
  ): Promise<Synchronised> {
    return this.synchronisation.recent(creator, context, options);
  }
}
