import { Injectable } from '@nestjs/common';
import { type CommandContext, type CreatorId, newId, type UserId } from '#kernel';
import { type Invitee, isRefusedAndRemoved } from '../../domain/creator.state.js';
import {
  admit,
  type EndedEnrollment,
  type EnrollmentRequest,
  enrolledBefore,
} from '../../domain/enrollment/roster-admission.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import { ErasureHashes } from '../../domain/membership/erasure.js';
import type { LoadedRoster } from '../access/creator.repository.js';
import { type AgencyScope, CreatorPorts, type LoadedCreator } from '../access/creator-ports.js';

/** The creator that holds the request's external id: a new one, or the one of an earlier attempt. */
interface Admitted {
  readonly creatorId: CreatorId;
  /** Undefined if the creator has a stream, or may have one. */
  readonly begun: LoadedCreator | undefined;
  readonly roster: LoadedRoster;
  readonly isNew: boolean;
}

interface SeatRequest extends EnrollmentRequest {
  readonly via: 'link' | 'invitation';
  readonly userId: UserId | null;
  readonly invitee: Invitee | null;
}

@Injectable()
export class RosterAdmissions {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly hashes: ErasureHashes,
  ) {}

  /** Reserves external id, user and seat, within `ifNew`; nothing if an earlier request has reserved them. */
  async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    roster: LoadedRoster,
    seat: SeatRequest,
    context: CommandContext,
    ifNew: (reserve: () => Promise<Admitted>) => Promise<Admitted>,
  ): Promise<Admitted> {
    const { repository, rosters, platform, clock } = this.ports;
    const { via, userId, externalId, fingerprint, identity, invitee } = seat;
    const personal = { externalId, fingerprint, submitted: { identity, invitee } };
    const keys = { hashes: this.hashes.of(workspaceId, personal), ended: await this.ended(roster, seat) };
    const before = enrolledBefore(roster.state, { externalId, fingerprint, userId, ...keys });
    if (before !== undefined) return { creatorId: before, begun: undefined, roster, isNew: false };
    return ifNew(async () => {
      const { totalSlots } = await platform.getCapacity(agencyId);
      const admission = { creatorId: newId('creator'), agencyId, epoch, via, userId, personal };
      const admitted = await rosters.update(roster, context, (current) =>
        admit(current, admission, totalSlots, keys, clock.now()),
      );
      const creatorId = admitted.state.byExternalId.get(digestOf(externalId));
      if (creatorId === undefined) throw new Error('an admitted creator holds its external id');
      // An id that was generated just now has no event.
      const begun = creatorId === admission.creatorId ? repository.assumeNew(creatorId) : undefined;
      return { creatorId, begun, roster: admitted, isNew: admitted.events.length > 0 };
    });
  }

  /** D25: the enrollment that holds the external id with another payload, if it was refused and removed. */
  private async ended(
    { state: roster }: LoadedRoster,
    { externalId, fingerprint }: SeatRequest,
  ): Promise<EndedEnrollment | undefined> {
    const holder = roster.byExternalId.get(digestOf(externalId));
    const entry = holder && roster.creators.get(holder);
    if (!entry || entry.fingerprint === digestOf(fingerprint)) return undefined;
    const { state, revision } = await this.ports.repository.load(entry.creatorId);
    return isRefusedAndRemoved(state)
      ? { creatorId: entry.creatorId, fingerprint: entry.fingerprint, revision }
      : undefined;
  }
}
