import { Injectable } from '@nestjs/common';
import type { CommandContext, CreatorId, Instant } from '#kernel';
import type { RosterAdmission } from '../../domain/enrollment/roster.js';
import { eraseFromRoster } from '../../domain/enrollment/roster-erasure.js';
import {
  ErasureHashes,
  eraseCreator,
  eraseCreatorWithoutKey,
  recordKeyDestroyed,
} from '../../domain/membership/erasure.js';
import { withCreatorLease } from '../access/creator-access.js';
import { CreatorPorts, enrolled, type FoundCreator } from '../access/creator-ports.js';
import { admissionsOf } from '../enrollment/incomplete-enrollments.js';

/** Records an erasure on the streams of creator and roster. Each step may be repeated. */
@Injectable()
export class CreatorErasure {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly hashes: ErasureHashes,
  ) {}

  async load(creatorId: CreatorId): Promise<FoundCreator> {
    return enrolled(await this.ports.repository.load(creatorId));
  }

  /** Returns when it is recorded. Waits for the lease, whose holder may be about to send the data in an invitation. */
  async record(creator: FoundCreator, context: CommandContext): Promise<Instant> {
    const { repository, rosters, leases, log } = this.ports;
    const { workspaceId } = creator.state;
    return withCreatorLease(leases, creator.id, async () => {
      const { at } = await repository.update(creator, context, eraseCreator);
      // D72: hashed while it is still readable, so that answers about it do not depend on a process that remembers it.
      const roster = await rosters.load(workspaceId);
      const admissions: RosterAdmission[] = [];
      for await (const admission of admissionsOf(log, creator.id, workspaceId)) admissions.push(admission);
      const erased = { hashes: this.hashes, workspaceId, admissions };
      await rosters.update(roster, context, (current) => eraseFromRoster(current, creator.id, erased));
      return at;
    });
  }

  /** For a log that is older than its keys: the key is already destroyed. */
  async recordWithoutKey(creator: FoundCreator, context: CommandContext): Promise<Instant> {
    const { repository, leases } = this.ports;
    const { at } = await withCreatorLease(leases, creator.id, () =>
      repository.update(creator, context, eraseCreatorWithoutKey),
    );
    return at;
  }

  async recordKeyDestroyed(creatorId: CreatorId, context: CommandContext): Promise<void> {
    await this.ports.repository.update(creatorId, context, recordKeyDestroyed);
  }
}
