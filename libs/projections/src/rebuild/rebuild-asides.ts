import type { SetAsides } from '#jobs';
import { processContext } from '#kernel';
import { READ_MODEL_RUNNERS, READ_MODELS } from '../engine/read-models-runner.js';
import type { SetAsideDocument, SetAsideList } from '../set-asides/set-aside-list.js';
import type { RebuildAsides } from './rebuild.js';

/** The set-aside events that a rebuild processes, and those that it cannot process either (D67). */
export const rebuildAsides = (
  setAsides: SetAsides,
  list: Pick<SetAsideList, 'all'>,
): RebuildAsides<SetAsideDocument> => ({
  async ofReadModels(names) {
    const found: SetAsideDocument[] = [];
    for await (const aside of list.all()) {
      if (READ_MODEL_RUNNERS.has(aside.runner) && aside.part !== null && names.has(aside.part)) found.push(aside);
    }
    return found;
  },
  async setAside({ name: part, runner = READ_MODELS }, { id, stream, revision, metadata }, error) {
    const item = { kind: 'event', eventId: id, stream, revision } as const;
    const { correlationId, workspaceId } = metadata;
    const cause = { id, correlationId, workspaceId };
    const { stream: aside } = await setAsides.record({ runner, part, item }, error, cause);
    return aside;
  },
  async retried(setAsideEvents) {
    for (const { eventId: id, correlationId, workspaceId, runner, part, item } of setAsideEvents) {
      const context = processContext('rebuild', workspaceId, { id, correlationId });
      await setAsides.retry({ runner, part, item }, context);
    }
  },
});
