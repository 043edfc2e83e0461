import { ALL_PROJECTIONS, LANES } from '#contexts';
import { endOf } from '#jobs';
import { byRunner } from '#projections';
import type { Services } from '../../support/open-service.js';

/** Has the lanes stand at the log's end, with the read models that were just built. */
export const putLanesAtEnd = async (
  { log, documents }: Pick<Services, 'log' | 'documents'>,
  names = LANES.map(({ name }) => name),
  end?: Awaited<ReturnType<typeof endOf>>,
): Promise<void> => {
  const { position, event } = end ?? (await endOf(log));
  for (const { name, runners } of LANES.filter((lane) => names.includes(lane.name))) {
    const own = [...byRunner(ALL_PROJECTIONS)].flatMap(([runner, of]) => (runners.includes(runner) ? of : []));
    const readModels = Object.fromEntries(own.map((each) => [each.name, each.version]));
    const fence = (await documents.checkpoint(name))?.fence ?? 0;
    await documents.write([], { name, position, fence, event: event && { ...event, readModels } });
  }
};
