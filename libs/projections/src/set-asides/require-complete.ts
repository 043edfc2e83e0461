import { DomainError, type WorkspaceId } from '#kernel';
import type { SetAsideList } from './set-aside-list.js';

/**
 * D67: a list or a figure that lacks what these read models or runners have set aside is refused, never shortened. Called
 * after the list was read: what is set aside between a check and a later read would be missing without notice.
 */
export const requireComplete = async (
  setAsides: SetAsideList,
  workspaceId: WorkspaceId,
  scopes: readonly string[],
): Promise<void> => {
  if (await setAsides.isComplete(workspaceId, scopes)) return;
  const cause = new Error(`${scopes.join(', ')}: an item is set aside; run \`projections retry\``);
  throw new DomainError('provider_unavailable', { cause });
};
