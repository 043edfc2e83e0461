import { type EventLog, eventsOf, type RecordedEvent, streamId } from '#kernel';

export async function* eventsAbout(log: EventLog, id: string): AsyncGenerator<RecordedEvent> {
  for await (const event of eventsOf(log)) if (isAbout(event, id)) yield event;
}

export const isAbout = (event: RecordedEvent, id: string): boolean =>
  streamId(event.stream) === id || mentions(event.data, id);

/** Whether an id is in the event, alone or as part of a stream's name. Personal texts contain no ids of ours. */
const mentions = (value: unknown, id: string): boolean => {
  if (typeof value === 'string') return value === id || value.endsWith(`-${id}`);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name !== 'personal' && mentions(member, id));
};
