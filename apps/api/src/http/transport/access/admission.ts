import { Injectable } from '@nestjs/common';
import { AgencyAccess, requirePresentEpoch, type Scope } from '#agencies';
import type { Access, AccessedRequest } from '#http';
import { ConsistencyToken, DomainError } from '#kernel';
import { idempotencyKeyOf } from '../../validation/idempotency-key.js';

/** What a route requires of the headers of each request, in addition to a key. */
export interface RequiredHeaders {
  readonly scopes: readonly Scope[];
  readonly hasIdempotencyKey: boolean;
}

/** D1: the checks between the rate limit and the body. */
@Injectable()
export class Admission {
  constructor(private readonly agencies: AgencyAccess) {}

  async admit({ key, id }: AccessedRequest, scopes: readonly Scope[]): Promise<Access> {
    if (key === undefined) throw new DomainError('unauthorized');
    const agency = await this.agencies.verify(key.agencyId);
    requirePresentEpoch(agency.binding, key.epoch);
    if (!scopes.every((scope) => key.scopes.includes(scope))) throw new DomainError('forbidden');
    const { agencyId, workspaceId } = key;
    return {
      key,
      agency,
      scope: { agencyId, workspaceId, epoch: agency.binding.epoch },
      context: {
        actor: `key:${key.keyId}`,
        correlationId: id,
        causationId: null,
        workspaceId,
        consistencyToken: new ConsistencyToken(),
      },
    };
  }

  /** D99: a client that waits for 100 Continue sends no body that its headers already refuse. */
  async checkHeaders(request: AccessedRequest): Promise<void> {
    const { required } = request.routeOptions.config as { readonly required?: RequiredHeaders };
    if (required === undefined) {
      await request.checkHeaders?.();
      return;
    }
    await this.admit(request, required.scopes);
    if (required.hasIdempotencyKey) idempotencyKeyOf(request.raw);
  }
}
