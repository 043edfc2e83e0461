import { Injectable } from '@nestjs/common';
import { CommandRunner, type KeyId, Repository } from '#kernel';
import { type ApiKey, type ApiKeyEvent, apiKeyDecider } from '../domain/api-key.js';

@Injectable()
export class ApiKeyRepository extends Repository<ApiKey, ApiKeyEvent, KeyId> {
  constructor(runner: CommandRunner) {
    super(apiKeyDecider, runner);
  }
}
