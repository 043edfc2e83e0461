import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyId, type CommandContext, DomainError } from '#kernel';
import { requireBound, requireBoundOwner } from '../domain/agency.js';
import { type IssuedKey, issueKey, type KeyLifetime } from '../domain/api-key.js';
import { hashSecret, keyIdOf, newKeySecret } from '../domain/key-secret.js';
import type { Preset } from '../domain/scopes.js';
import { AgencyRepository } from './agency.repository.js';
import { AgencyAccess } from './agency-access.js';
import { ApiKeyRepository } from './api-key.repository.js';

export interface KeyRequest {
  readonly preset: Preset;
  readonly name?: string | undefined;
  readonly lifetime: KeyLifetime;
}

interface IssueKeyResult {
  readonly key: IssuedKey;
  /** The secret is only here; nothing stores it. */
  readonly secret: string;
}

export class IssueKey extends Command<IssueKeyResult> {
  constructor(
    readonly agencyId: AgencyId,
    readonly request: KeyRequest,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(IssueKey)
export class IssueKeyHandler implements ICommandHandler<IssueKey> {
  constructor(
    private readonly agencies: AgencyRepository,
    private readonly keys: ApiKeyRepository,
    private readonly access: AgencyAccess,
  ) {}

  async execute({ agencyId, request, context }: IssueKey): Promise<IssueKeyResult> {
    requireBound((await this.agencies.load(agencyId)).state);
    // D83: neither answer may be a cached one, because the agency may have been denied since.
    const native = await this.access.ask(agencyId);
    const { state: agency } = await this.agencies.load(agencyId);
    const { workspaceId, epoch } = requireBoundOwner(agency, native);
    const secret = newKeySecret();
    const secretHash = hashSecret(secret);
    const order = { ...request, keyId: keyIdOf(secretHash), agencyId, workspaceId, epoch, secretHash };
    const { state } = await this.keys.update(order.keyId, { ...context, workspaceId }, (key, now) =>
      issueKey(key, order, now),
    );
    if (state.status === 'unknown') {
      throw new DomainError('internal_error', { cause: new Error(`${order.keyId} was issued, and is unknown`) });
    }
    return { key: state, secret };
  }
}
