import type { CommandContext, CreatorId, UserId } from '#kernel';
import type { AgencyScope } from './creator-access.js';

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
