import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError, type KeyId } from '#kernel';
import type { IssuedKey } from '../domain/api-key.js';
import { ApiKeyRepository } from './api-key.repository.js';

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
