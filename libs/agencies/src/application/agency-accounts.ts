import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  type CommandContext,
  CommandRunner,
  DomainError,
  derivedId,
  type Instant,
  type KeyId,
  type WorkspaceId,
} from '#kernel';
import { type AgencyState, agencyDecider, type Binding, bind, requireBoundOwner } from '../domain/agency.js';
import {
  type ApiKey,
  apiKeyDecider,
  type IssuedKey,
  issueKey,
  isUsable,
  type KeyLifetime,
  revokeKey,
} from '../domain/api-key.js';
import { hashSecret, isKeySecret, keyIdOf, newKeySecret, sameHash } from '../domain/key-secret.js';
import type { Preset } from '../domain/scopes.js';
import { AgencyAccess } from './agency-access.js';

export interface KeyRequest {
  readonly preset: Preset;
  readonly name?: string | undefined;
  readonly lifetime: KeyLifetime;
}

/** The key that a secret would open, if it has been issued. */
export interface KeyClaim {
  readonly keyId: KeyId;
  readonly secretHash: string;
}

/** D22: an agency has one workspace, whose id follows from the agency's. */
export const workspaceOf = (agencyId: AgencyId): WorkspaceId => derivedId('workspace', agencyId);

/** What operators do with bindings and keys, always in the agency's workspace. */
@Injectable()
export class AgencyAccounts {
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
      // Another process has bound it since, perhaps to a later owner than the one that was read here.
      if (events.length > 0 || position <= began) return requireBound(state);
    }
  }

  async show(agencyId: AgencyId): Promise<Binding> {
    return requireBound((await this.runner.load(agencyDecider, agencyId)).state);
  }

  /** For an agency that the platform verifies (D19, D83). The secret is in the answer and nowhere else. */
  async issueKey(
    agencyId: AgencyId,
    request: KeyRequest,
    context: CommandContext,
  ): Promise<{ readonly key: IssuedKey; readonly secret: string }> {
    await this.show(agencyId);
    // D83: asked now, for the binding as it is then: what was verified a moment ago may be denied.
    const native = await this.access.ask(agencyId);
    const { state: agency } = await this.runner.load(agencyDecider, agencyId);
    const { workspaceId, epoch } = requireBoundOwner(agency, native);
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

  /** D17: the key that the secret belongs to, or `unauthorized` for any reason. */
  async authenticate(secret: string, now: Instant): Promise<IssuedKey> {
    const claim = this.claimOf(secret);
    if (claim === undefined) throw new DomainError('unauthorized');
    return this.open(claim, now);
  }

  /** Which key the secret would open, found without a read; undefined for what is no secret of a live key. */
  claimOf(secret: string): KeyClaim | undefined {
    if (!isKeySecret(secret)) return undefined;
    const secretHash = hashSecret(secret);
    return { keyId: keyIdOf(secretHash), secretHash };
  }

  /** The key that is claimed, as its stream has it now, or `unauthorized`. */
  async open({ keyId, secretHash }: KeyClaim, now: Instant): Promise<IssuedKey> {
    const { state } = await this.runner.load(apiKeyDecider, keyId);
    if (!isUsable(state, now) || !sameHash(state.secretHash, secretHash)) throw new DomainError('unauthorized');
    return state;
  }
}

const requireBound = (state: AgencyState): Binding => {
  if (state.status === 'unbound') throw new DomainError('not_found');
  return state;
};
