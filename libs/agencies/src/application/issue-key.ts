import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock, type CommandContext, DAY, DocumentStore, DomainError, SECOND } from '#kernel';
import { requireBound, requireBoundOwner } from '../domain/agency.js';
import { type IssuedKey, issueKey, type KeyRequest } from '../domain/api-key.js';
import { hashSecret, keyIdOf, lastFourOf, newKeySecret } from '../domain/key-secret.js';
import { AgencyRepository, ApiKeyRepository } from './agency.repository.js';
import { AgencyAccess } from './agency-access.js';

interface IssueKeyResult {
  readonly key: IssuedKey;
  /** Only this result has the secret; nothing stores it. */
  readonly secret: string;
}

/** In a UTC day: each API process knows all keys, including those that have ended (D70). */
export const MAX_KEYS_PER_DAY = 1_000;

/** Rejects with `rate_limited` for an agency that has been issued too many keys today. */
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
    private readonly counters: DocumentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId, request, context }: IssueKey): Promise<IssueKeyResult> {
    requireBound((await this.agencies.load(agencyId)).state);
    // D83: neither answer may come from a cache, because the agency may have been denied since.
    const native = await this.access.ask(agencyId);
    const { state: agency } = await this.agencies.load(agencyId);
    const { workspaceId, epoch } = requireBoundOwner(agency, native);
    await this.count(agencyId, epoch);
    const secret = newKeySecret();
    const secretHash = hashSecret(secret);
    const ofSecret = { keyId: keyIdOf(secretHash), secretHash, lastFour: lastFourOf(secret) };
    const order = { ...request, ...ofSecret, agencyId, workspaceId, epoch };
    const { state } = await this.keys.update(order.keyId, { ...context, workspaceId }, (key, now) =>
      issueKey(key, order, now),
    );
    if (state.status === 'unknown') throw new Error(`${order.keyId} was issued, and is unknown`);
    return { key: state, secret };
  }

  /** The former owner's requests do not count against a new owner. */
  private async count(agencyId: AgencyId, epoch: number): Promise<void> {
    const now = this.clock.now();
    const day = Math.floor(now / DAY);
    const end = (day + 1) * DAY;
    const issued = await this.counters.increment(`keys:${agencyId}:${epoch}:${day}`, 1, end);
    if (issued <= MAX_KEYS_PER_DAY) return;
    throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil((end - now) / SECOND) });
  }
}
