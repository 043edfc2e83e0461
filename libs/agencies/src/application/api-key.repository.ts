import { Injectable } from '@nestjs/common';
import { CommandRunner, type Instant, type KeyId, Repository } from '#kernel';
import { type ApiKey, type ApiKeyEvent, apiKeyDecider, type IssuedKey, requireClaimed } from '../domain/api-key.js';
import type { KeyClaim } from '../domain/key-secret.js';

@Injectable()
export class ApiKeyRepository extends Repository<ApiKey, ApiKeyEvent, KeyId> {
  constructor(runner: CommandRunner) {
    super(apiKeyDecider, runner);
  }

  /** The claimed key, from its stream, or `unauthorized`. */
  async open(claim: KeyClaim, now: Instant): Promise<IssuedKey> {
    const { state } = await this.load(claim.keyId);
    return requireClaimed(state, claim, now);
  }
}
