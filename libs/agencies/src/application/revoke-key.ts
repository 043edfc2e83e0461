import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, KeyId } from '#kernel';
import { type ApiKey, revokeKey } from '../domain/api-key.js';
import { ApiKeyRepository } from './agency.repository.js';

export class RevokeKey extends Command<ApiKey> {
  constructor(
    readonly keyId: KeyId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RevokeKey)
export class RevokeKeyHandler implements ICommandHandler<RevokeKey> {
  constructor(private readonly keys: ApiKeyRepository) {}

  async execute({ keyId, context }: RevokeKey): Promise<ApiKey> {
    const key = await this.keys.load(keyId);
    const workspaceId = key.state.status === 'unknown' ? null : key.state.workspaceId;
    return (await this.keys.update(key, { ...context, workspaceId }, revokeKey)).state;
  }
}
