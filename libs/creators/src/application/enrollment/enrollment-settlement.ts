import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, type Effect, performEffect } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { hasFailed, isUnsettled, recordInvitation } from '../../domain/enrollment/enrollment.js';
import { hasIdentityToWrite } from '../../domain/membership/identity-writes.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { isFound, type LoadedCreator } from '../access/loaded-creator.js';
import { sendInvitation } from './invitation-sending.js';
import { SubmittedIdentityWriter } from './submitted-identity-writer.js';

/** Settles the call of an enrollment whose outcome a crash or a lost answer left open (D28, D30). */
@Injectable()
export class EnrollmentSettlement {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly identities: SubmittedIdentityWriter,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  async settle(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    if (!isUnsettled(creator.state)) return creator;
    return withCreatorLease(this.leases, creator.id, async () => {
      // The previous holder of the lease may have settled it.
      const current = await this.repository.load(creator.id);
      if (!isFound(current) || !isUnsettled(current.state)) return current;
      if (hasIdentityToWrite(current.state)) return this.identities.write(current, context);
      const { state } = current;
      const { loaded } = await performEffect(this.repository, current, context, {
        call: () => (hasFailed(state) ? this.lookUpRetry(state) : sendInvitation(this.platform, state, true)),
        outcome: recordInvitation,
      });
      return loaded;
    });
  }

  /** A crash came after a seat was reserved for another try: its outcome is looked up; the worker never tries again. */
  private async lookUpRetry({ creatorId, agencyId, enrollment }: EnrolledCreator): Promise<Effect<NativeInvitation>> {
    const found = await this.platform.findInvitation(agencyId, creatorId);
    if (found !== undefined) return { outcome: 'done', value: found };
    return { outcome: 'refused', code: enrollment.status === 'not_admitted' ? 'capacity_reached' : 'not_sent' };
  }
}
