import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, type Effect, NO_EVENTS, performEffect } from '#kernel';
import type { EnrolledCreator } from '../domain/creator.state.js';
import {
  enrollByInvitation,
  enrollByLink,
  hasFailed,
  importCreator,
  isUnsettled,
  recordInvitation,
} from '../domain/enrollment/enrollment.js';
import type { RosterAdmission } from '../domain/enrollment/roster.events.js';
import { release } from '../domain/enrollment/roster-seats.js';
import { hasIdentityToWrite } from '../domain/identity/identity-writes.js';
import { CreatorRepository, isFound, type LoadedCreator } from './creator.repository.js';
import type { AgencyScope } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { IdentityWriter } from './identity-writer.js';
import { sendInvitation } from './invitation-sending.js';
import { CreatorPlatform, type NativeInvitation } from './ports.js';
import { RosterRepository } from './roster.repository.js';

/** Finishes enrollments that a crash or an unknown outcome left (D28, D30). */
@Injectable()
export class EnrollmentSettlement {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly identities: IdentityWriter,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  /** Begins the stream of a creator that was admitted, where a crash came between the two: the worker's part. */
  async begin(
    creator: LoadedCreator,
    admission: RosterAdmission,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    const { creatorId, via, userId, personal } = admission;
    const { externalId, submitted } = personal;
    const enrolling = { creatorId, ...scope, externalId };
    if (via === 'invitation') {
      if (submitted?.invitee == null) throw new Error('an invitation has an invitee');
      const enrollment = { ...enrolling, identity: submitted.identity, invitee: submitted.invitee };
      return this.repository.update(creator, context, (state) => enrollByInvitation(state, enrollment));
    }
    const native = userId === null ? undefined : await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined) return creator;
    return this.repository.update(creator, context, (state) =>
      submitted === null
        ? importCreator(state, enrolling, native)
        : enrollByLink(state, { ...enrolling, userId: native.userId, identity: submitted.identity }, native),
    );
  }

  /**
   * Releases the seat of an admission whose user left before the creator's stream began (D31). Under
   * the lease, so that a link that begins the stream comes before this, or after it and is counted again.
   */
  async releaseUnbegun(
    { creatorId }: RosterAdmission,
    { workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    return withCreatorLease(this.leases, creatorId, async () => {
      const creator = await this.repository.load(creatorId);
      if (!isFound(creator)) {
        await this.rosters.update(workspaceId, context, (roster) =>
          release(roster, creatorId, 'transferred', NO_EVENTS),
        );
      }
      return creator;
    });
  }

  /** Sends, writes or looks up what is still open, if anything is. */
  async settle(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    if (!isUnsettled(creator.state)) return creator;
    return withCreatorLease(this.leases, creator.id, async () => {
      // The previous holder of the lease may have settled it.
      const current = await this.repository.load(creator.id);
      if (!isFound(current) || !isUnsettled(current.state)) return current;
      if (hasIdentityToWrite(current.state)) return this.identities.writeSubmitted(current, context);
      const { state } = current;
      const { loaded } = await performEffect(this.repository, current, context, {
        call: () => (hasFailed(state) ? this.lookUpRetry(state) : sendInvitation(this.platform, state, true)),
        outcome: recordInvitation,
      });
      return loaded;
    });
  }

  /** A crash came after a place was taken for another try: its outcome is looked up; the worker never tries again. */
  private async lookUpRetry({ creatorId, agencyId, enrollment }: EnrolledCreator): Promise<Effect<NativeInvitation>> {
    const found = await this.platform.findInvitation(agencyId, creatorId);
    if (found !== undefined) return { outcome: 'done', value: found };
    return { outcome: 'refused', code: enrollment.status === 'not_admitted' ? 'capacity_reached' : 'not_sent' };
  }
}
