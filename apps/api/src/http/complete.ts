import { DomainError, type WorkspaceId } from '#kernel';
import type { Services } from '../../../composition/src/index.js';

/** D67: a list or a figure that lacks what these read models or runners have set aside is refused, never shortened. */
export const requireComplete = async (
  { setAsideList }: Pick<Services, 'setAsideList'>,
  workspaceId: WorkspaceId,
  scopes: readonly string[],
): Promise<void> => {
  if (!(await setAsideList.isComplete(workspaceId, scopes))) throw new DomainError('provider_unavailable');
};
