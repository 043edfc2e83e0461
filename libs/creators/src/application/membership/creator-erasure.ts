import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, EventLog, type Instant } from '#kernel';
import type { RosterAdmission } from '../../domain/enrollment/roster.events.js';
import { eraseFromRoster } from '../../domain/enrollment/roster-erasure.js';
import { eraseCreator, eraseCreatorWithoutKey, recordKeyDestroyed } from '../../domain/membership/erasure.js';
import { ErasureHashes } from '../../domain/membership/erasure-hashes.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { enrolled, type FoundCreator } from '../access/loaded-creator.js';
import { RosterRepository } from '../access/roster.repository.js';
import { admissionsOf } from '../enrollment/recorded-admissions.js';

/** What creator and roster record of an erasure. Each step may be repeated. */
@Injectable()
export class CreatorErasure {
  constructor(
    private readonly creators: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly hashes: ErasureHashes,
    private readonly leases: Leases,
    private readonly log: EventLog,
  ) {}

  async load(creatorId: CreatorId): Promise<FoundCreator> {
    return enrolled(await this.creators.load(creatorId));
  }

  /** Returns when it was recorded. Waits for the lease, whose holder may be about to send the data in an invitation. */
  async record(creator: FoundCreator, context: CommandContext): Promise<Instant> {
    const { workspaceId } = creator.state;
    return withCreatorLease(this.leases, creator.id, async () => {
      const { at } = await this.creators.update(creator, context, eraseCreator);
      // D72: hashed while it can still be read, so that answers about it do not depend on a process that remembers it.
      const roster = await this.rosters.load(workspaceId);
      const admissions: RosterAdmission[] = [];
      for await (const admission of admissionsOf(this.log, creator.id, workspaceId)) admissions.push(admission);
      const erased = { hashes: this.hashes, workspaceId, admissions };
      await this.rosters.update(roster, context, (current) => eraseFromRoster(current, creator.id, erased));
      return at;
    });
  }

  /** Of a log that is older than its keys: the key is destroyed already. */
  async recordWithoutKey(creator: FoundCreator, context: CommandContext): Promise<Instant> {
    return withCreatorLease(this.leases, creator.id, async () => {
      const { at } = await this.creators.update(creator, context, eraseCreatorWithoutKey);
      return at;
    });
  }

  async recordKeyDestroyed(creatorId: CreatorId, context: CommandContext): Promise<void> {
    await this.creators.update(creatorId, context, recordKeyDestroyed);
  }
}
