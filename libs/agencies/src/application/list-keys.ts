import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock, type Instant, nextPart } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { requireBound } from '../domain/agency.js';
import { type KeyStatus, keyStatus } from '../domain/api-key.js';
import { type KeyDocument, KeyList, keyListProjection } from '../read-models/key-list.js';
import { AgencyRepository } from './agency.repository.js';
import { KeyUses } from './key-uses.js';

export interface ListedKey extends KeyDocument {
  readonly status: KeyStatus;
  readonly lastUsedAt: Instant | null;
}

/** The keys of a bound agency, the oldest first; `provider_unavailable` if one of them was set aside (D67). */
export class ListKeys extends Query<readonly ListedKey[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    private readonly agencies: AgencyRepository,
    private readonly keys: KeyList,
    private readonly uses: KeyUses,
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId }: ListKeys): Promise<readonly ListedKey[]> {
    const { workspaceId, epoch } = requireBound((await this.agencies.load(agencyId)).state);
    const keys = await this.keys.ofAgency(agencyId);
    await nextPart();
    const [uses] = await Promise.all([
      this.uses.lastOf(keys.map(({ id }) => id)),
      requireComplete(this.deadLetters, workspaceId, [keyListProjection.name]),
    ]);
    const now = this.clock.now();
    return keys.map((key) => ({
      ...key,
      status: keyStatus(key, epoch, now),
      lastUsedAt: useShown(uses.get(key.id), now),
    }));
  }
}

/** D111: a use that the clock recorded while it was ahead has happened by now. */
const useShown = (at: Instant | undefined, now: Instant): Instant | null =>
  at === undefined ? null : Math.min(at, now);
