import { Injectable } from '@nestjs/common';
import { type CreatorId, EventLog, parseId, type StreamName, streamName, type WorkspaceId } from '#kernel';

/** What belongs to a creator, has an id that the API shows, and a stream of that id. */
const KINDS = ['scan', 'case', 'deindexRequest', 'impersonation'] as const;

interface RecordOfCreator {
  readonly stream: StreamName;
  readonly creatorId: CreatorId | undefined;
  readonly workspaceId: WorkspaceId | null;
}

/** Scans, cases, deindex requests and impersonations. The first event of each names its creator. */
@Injectable()
export class RecordsOfCreators {
  constructor(private readonly log: EventLog) {}

  /** The record of that id, of any agency. */
  async find(text: string): Promise<RecordOfCreator | undefined> {
    const stream = streamOf(text);
    const [first] = stream === undefined ? [] : await this.log.readStream(stream, { limit: 1 });
    if (stream === undefined || first === undefined) return undefined;
    const { creatorId } = first.data as { readonly creatorId?: CreatorId };
    return { stream, creatorId, workspaceId: first.metadata.workspaceId };
  }
}

const streamOf = (text: string): StreamName | undefined => {
  for (const kind of KINDS) {
    const id = parseId(kind, text);
    if (id !== undefined) return streamName(kind, id);
  }
  return undefined;
};
