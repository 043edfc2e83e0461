import { LRUCache } from 'lru-cache';
import type { AgencyId, CommandContext, CommandRunner, Instant, KeyId, WorkspaceId } from '#kernel';
import { DomainError, derivedId } from '#kernel';
import { type AgencyState, agencyDecider, type Binding, bind } from './agency.js';
import type { AgencyAccess } from './agency-access.js';
import {
  type ApiKey,
  apiKeyDecider,
  type IssuedKey,
  issueKey,
  isUsable,
  type KeyLifetime,
  revokeKey,
} from './api-key.js';
import { hashSecret, isKeySecret, keyIdOf, newKeySecret, sameHash } from './key-secret.js';
import type { Preset } from './scopes.js';

export interface KeyRequest {
  readonly preset: Preset;
  readonly name?: string | undefined;
  readonly lifetime: KeyLifetime;
}

/** D22: an agency has one workspace, whose id follows from the agency's. */
export const workspaceOf = (agencyId: AgencyId): WorkspaceId => derivedId('workspace', agencyId);

/** Bindings and keys, as the dashboard's operators handle them; whatever the context says, in the agency's workspace. */
export class AgencyAccounts {
  /** By the hash of the secret: the ids of keys that were used lately, which every request would derive again. */
  private readonly keyIds = new LRUCache<string, KeyId>({ max: 1_000 });

  constructor(
    private readonly runner: CommandRunner,
    private readonly access: AgencyAccess,
  ) {}

  async bind(agencyId: AgencyId, context: CommandContext): Promise<Binding> {
    const workspaceId = workspaceOf(agencyId);
    for (;;) {
      const { position: began } = await this.runner.load(agencyDecider, agencyId);
      const native = await this.access.ask(agencyId);
      const { state, events, position } = await this.runner.run(
        agencyDecider,
        agencyId,
        { ...context, workspaceId },
        (agency, _now, before) => (before > began ? [] : bind(agency, native, workspaceId)),
      );
      // Bound meanwhile by somebody else, to an owner that may be a later one than what was asked here.
      if (events.length > 0 || position <= began) return requireBound(state);
    }
  }

  async show(agencyId: AgencyId): Promise<Binding> {
    return requireBound((await this.runner.load(agencyDecider, agencyId)).state);
  }

  /** The secret is in the answer and nowhere else. */
  async issueKey(
    agencyId: AgencyId,
    request: KeyRequest,
    context: CommandContext,
  ): Promise<{ readonly key: IssuedKey; readonly secret: string }> {
    const { workspaceId, epoch } = await this.show(agencyId);
    const secret = newKeySecret();
    const secretHash = hashSecret(secret);
    const order = { ...request, keyId: keyIdOf(secretHash), agencyId, workspaceId, epoch, secretHash };
    const { state } = await this.runner.run(apiKeyDecider, order.keyId, { ...context, workspaceId }, (key, now) =>
      issueKey(key, order, now),
    );
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { key: state, secret };
  }

  async revokeKey(keyId: KeyId, context: CommandContext): Promise<ApiKey> {
    const { state: key } = await this.runner.load(apiKeyDecider, keyId);
    const workspaceId = key.status === 'unknown' ? null : key.workspaceId;
    return (await this.runner.run(apiKeyDecider, keyId, { ...context, workspaceId }, revokeKey)).state;
  }

  /** D17: the key that the secret opens, or `unauthorized` for whatever reason. */
  async authenticate(secret: string, now: Instant): Promise<IssuedKey> {
    if (!isKeySecret(secret)) throw new DomainError('unauthorized');
    const secretHash = hashSecret(secret);
    const { state } = await this.runner.load(apiKeyDecider, this.keyIdOf(secretHash));
    if (!isUsable(state, now) || !sameHash(state.secretHash, secretHash)) throw new DomainError('unauthorized');
    return state;
  }

  private keyIdOf(secretHash: string): KeyId {
    const known = this.keyIds.get(secretHash);
    if (known !== undefined) return known;
    const keyId = keyIdOf(secretHash);
    this.keyIds.set(secretHash, keyId);
    return keyId;
  }
}

const requireBound = (state: AgencyState): Binding => {
  if (state.status === 'unbound') throw new DomainError('not_found');
  return state;
};
