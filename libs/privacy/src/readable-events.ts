import { type CreatorId, categoryOf, ERASED, type EventLog } from '#kernel';
import { eventsAbout } from '#personal-data';

/** How many events about a creator have personal data that can be read, for each category of stream. */
export const readableEvents = async (
  log: EventLog,
  creatorId: CreatorId,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for await (const { stream, data } of eventsAbout(log, creatorId)) {
    const category = categoryOf(stream);
    if ('personal' in data && isReadable(data.personal)) counts[category] = (counts[category] ?? 0) + 1;
  }
  return counts;
};

/** Whether at least one of its texts has not been erased. */
const isReadable = (personal: unknown): boolean => {
  if (typeof personal === 'string') return personal !== ERASED;
  return typeof personal === 'object' && personal !== null && Object.values(personal).some(isReadable);
};
