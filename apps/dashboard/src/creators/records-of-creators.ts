import { type CreatorId, parseId, type RecordedEvent, type StreamName, streamName } from '#kernel';

/** What belongs to a creator, has an id that the API shows, and a stream of that id. */
const KINDS = ['scan', 'case', 'deindexRequest', 'impersonation'] as const;

export const streamOfRecord = (text: string): StreamName | undefined => {
  for (const kind of KINDS) {
    const id = parseId(kind, text);
    if (id !== undefined) return streamName(kind, id);
  }
  return undefined;
};

/** The creator that the first event of such a stream names. */
export const creatorOf = ({ data }: RecordedEvent): CreatorId | undefined =>
  (data as { readonly creatorId?: CreatorId }).creatorId;
