import type { CommandContext, CreatorId, UserId } from '#kernel';
import type { Invite, LinkEnrollment } from '../domain/enrollment/enrollment-requests.js';
import type { AgencyScope } from './creator-access.js';

/** Links a native user, or invites somebody new. */
export class EnrollCreator {
  constructor(
    readonly scope: AgencyScope,
    readonly request: LinkEnrollment | Invite,
    readonly context: CommandContext,
  ) {}
}

/** Reads refresh what is known of a creator, and so may append. */
export class GetCreator {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {}
}

export class ListCreators {
  constructor(
    readonly scope: AgencyScope,
    readonly page: { readonly limit: number; readonly after?: UserId },
    readonly context: CommandContext,
  ) {}
}
