import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock, DomainError, type Instant, type KeyId, nextPart } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { requireBound } from '../domain/agency.js';
import { type IssuedKey, type KeyStatus, keyStatus, requireClaimed } from '../domain/api-key.js';
import type { KeyClaim } from '../domain/key-secret.js';
import { type KeyDocument, KeyList, keyListProjection } from '../read-models/key-list.js';
import { AgencyRepository, ApiKeyRepository } from './agency.repository.js';
import { KeyUses } from './key-uses.js';

@Injectable()
export class ApiKeyAccess {
  constructor(private readonly keys: ApiKeyRepository) {}

  /** The claimed key, from its stream, or `unauthorized`. */
  async open(claim: KeyClaim, now: Instant): Promise<IssuedKey> {
    const { state } = await this.keys.load(claim.keyId);
    return requireClaimed(state, claim, now);
  }
}

/** A key of the agency, of any status; `not_found` for one of another agency. */
export class GetKey extends Query<IssuedKey> {
  constructor(
    readonly agencyId: AgencyId,
    readonly keyId: KeyId,
  ) {
    super();
  }
}

@QueryHandler(GetKey)
export class GetKeyHandler implements IQueryHandler<GetKey> {
  constructor(private readonly keys: ApiKeyRepository) {}

  async execute({ agencyId, keyId }: GetKey): Promise<IssuedKey> {
    const { state } = await this.keys.load(keyId);
    if (state.status === 'unknown' || state.agencyId !== agencyId) throw new DomainError('not_found');
    return state;
  }
}

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

/** D111: a use that was recorded while the clock was ahead counts as already past. */
const useShown = (at: Instant | undefined, now: Instant): Instant | null =>
  at === undefined ? null : Math.min(at, now);
