import { Injectable } from '@nestjs/common';
import { type AgencyId, DomainError, type Instant, type KeyId } from '#kernel';
import { type Binding, requireBound } from '../domain/agency.js';
import { type IssuedKey, isUsable } from '../domain/api-key.js';
import { hashSecret, isKeySecret, keyIdOf, sameHash } from '../domain/key-secret.js';
import { AgencyRepository } from './agency.repository.js';
import { ApiKeyRepository } from './api-key.repository.js';

/** The key that a secret would open, if it has been issued. */
export interface KeyClaim {
  readonly keyId: KeyId;
  readonly secretHash: string;
}

/** Finds the binding of an agency, and the key of a secret. */
@Injectable()
export class AgencyAccounts {
  constructor(
    private readonly agencies: AgencyRepository,
    private readonly keys: ApiKeyRepository,
  ) {}

  async show(agencyId: AgencyId): Promise<Binding> {
    return requireBound((await this.agencies.load(agencyId)).state);
  }

  /** D17: the key that the secret belongs to, or `unauthorized` for any reason. */
  async authenticate(secret: string, now: Instant): Promise<IssuedKey> {
    const claim = this.claimOf(secret);
    if (claim === undefined) throw new DomainError('unauthorized');
    return this.open(claim, now);
  }

  /** Which key the secret would open, found without a read; undefined if it has not the form of a live key's secret. */
  claimOf(secret: string): KeyClaim | undefined {
    if (!isKeySecret(secret)) return undefined;
    const secretHash = hashSecret(secret);
    return { keyId: keyIdOf(secretHash), secretHash };
  }

  /** The claimed key, from its stream, or `unauthorized`. */
  async open({ keyId, secretHash }: KeyClaim, now: Instant): Promise<IssuedKey> {
    const { state } = await this.keys.load(keyId);
    if (!isUsable(state, now) || !sameHash(state.secretHash, secretHash)) throw new DomainError('unauthorized');
    return state;
  }
}
