import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, EventLog, NO_EVENTS, type WorkspaceId } from '#kernel';
import { isRefusedAndRemoved } from '../../domain/creator.state.js';
import { enrollByInvitation, enrollByLink, importCreator } from '../../domain/enrollment/enrollment.js';
import type { RosterAdmission } from '../../domain/enrollment/roster.events.js';
import { isAdmittedAgain } from '../../domain/enrollment/roster-admission.js';
import { release } from '../../domain/enrollment/roster-seats.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { isFound, type LoadedCreator } from '../access/loaded-creator.js';
import { RosterRepository } from '../access/roster.repository.js';
import { admissionsOf } from './recorded-admissions.js';

/** Enrollments that the roster admitted, and whose creator's stream a crash left behind (D28, D30). */
@Injectable()
export class UnbegunEnrollments {
  constructor(
    private readonly log: EventLog,
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  /** What the creator was admitted with, if its stream was not begun, or does not have that enrollment yet. */
  async admissionOf(creator: LoadedCreator, workspaceId: WorkspaceId): Promise<RosterAdmission | undefined> {
    const { id, state } = creator;
    const isAgain =
      isRefusedAndRemoved(state) && isAdmittedAgain((await this.rosters.load(workspaceId)).state, creator);
    if (state.status === 'known' && state.enrollment.via !== 'import' && !isAgain) return undefined;
    const { value: admission } = await admissionsOf(this.log, id, workspaceId).next();
    return state.status === 'known' && admission?.via === 'import' ? undefined : admission;
  }

  /** Records the enrollment as it was admitted; nothing if the platform does not show its user. */
  async begin(
    creator: LoadedCreator,
    { creatorId, agencyId, epoch, via, userId, personal }: RosterAdmission,
    workspaceId: WorkspaceId,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    const { externalId, submitted } = personal;
    const enrolling = { creatorId, agencyId, workspaceId, epoch, externalId };
    if (via === 'invitation') {
      if (submitted?.invitee == null) throw new Error('an invitation has an invitee');
      const enrollment = { ...enrolling, identity: submitted.identity, invitee: submitted.invitee };
      return this.repository.update(creator, context, (state) => enrollByInvitation(state, enrollment, true));
    }
    const native = userId === null ? undefined : await this.platform.getCreator(agencyId, userId);
    if (native === undefined) return creator;
    return this.repository.update(creator, context, (state) =>
      submitted === null
        ? importCreator(state, enrolling, native)
        : enrollByLink(state, { ...enrolling, userId: native.userId, identity: submitted.identity }, native),
    );
  }

  /** Under the lease, so that a link that begins the stream comes before this, or after it and is counted again (D31). */
  releaseSeat(creatorId: CreatorId, workspaceId: WorkspaceId, context: CommandContext): Promise<LoadedCreator> {
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
}
