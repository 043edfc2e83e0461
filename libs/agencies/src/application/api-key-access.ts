import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { type IssuedKey, requireClaimed } from '../domain/api-key.js';
import type { KeyClaim } from '../domain/key-secret.js';
import { ApiKeyRepository } from './api-key.repository.js';

@Injectable()
export class ApiKeyAccess {
  constructor(private readonly keys: ApiKeyRepository) {}

  /** The claimed key, from its stream, or `unauthorized`. */
  async open(claim: KeyClaim, now: Instant): Promise<IssuedKey> {
    const { state } = await this.keys.load(claim.keyId);
    return requireClaimed(state, claim, now);
  }
}
