import { Injectable } from '@nestjs/common';
import { CreatorVisibilities, type CreatorVisibility } from '#creators';
import {
  type Cache,
  Caches,
  type CreatorId,
  ENCRYPTED,
  ERASED,
  EventLog,
  KeyedMutex,
  PersonalDataUnreadable,
  type PublicEventId,
  type RecordedEvent,
  type Revision,
  SECOND,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '../domain/public-event.js';

/** Several endpoints get the same events, and a backlog is sent in the order of the feed. */
const READ_AHEAD = 64;
/** A read includes a gap of up to this many events, because another read would cost more. */
const MAX_GAP = 8;

type Published = RecordedEvent<EventPublished>;

/** An erased text leaves the memory soon. Whether it may be sent is decided by the creator's state, not here. */
const LIMITS = { bytes: 8 * 1024 * 1024, ttl: 5 * SECOND };

/** The bytes of a published event, or why the agency may not see them now. */
export type Visibility =
  | { readonly kind: 'visible'; readonly bytes: string }
  /** The key of its creator's data is missing, and may be restored (D71). */
  | { readonly kind: 'unreadable'; readonly error: PersonalDataUnreadable }
  | Exclude<CreatorVisibility, { readonly kind: 'visible' }>;

/** Throws unless the published event is the one that is named. */
export type VisibilityRule = (
  named: Pick<EventPublished['data'], 'eventId' | 'creatorId'>,
  published: Published | undefined,
) => Visibility;

/** Decides who may see what has been published, for the feed and for webhooks. No other code does. */
@Injectable()
export class VisibleEvents {
  private readonly published: Cache<string, Published>;
  /** Several endpoints get the same events, so a read waits for the previous one, which may return what it needs. */
  private readonly reads = new KeyedMutex();
  private clearings = 0;

  constructor(
    private readonly log: EventLog,
    private readonly creators: CreatorVisibilities,
    caches: Caches = Caches.ON,
  ) {
    this.published = caches.create(LIMITS);
  }

  /** The events of the workspace's feed at these revisions, and maybe others near them; a revision without an event is missing. */
  async read(workspaceId: WorkspaceId, revisions: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    const events = new Map<Revision, Published>();
    const unknown = (): Revision[] =>
      revisions.filter((revision) => {
        const event = this.published.get(keyOf(workspaceId, revision));
        if (event !== undefined) events.set(revision, event);
        return !events.has(revision);
      });
    if (unknown().length === 0) return events;
    await this.reads.run(workspaceId, async () => {
      const pages = await Promise.all(runsOf(unknown()).map((run) => this.readAhead(workspaceId, run)));
      for (const event of pages.flat()) events.set(event.revision, event);
    });
    return events;
  }

  /** Reads the creators: call it last, directly before the events leave the service. */
  async ruleFor(creatorIds: Iterable<CreatorId>): Promise<VisibilityRule> {
    const creators = await this.creators.of(new Set(creatorIds));
    return ({ creatorId, eventId }, published) => {
      const creator = creators.get(creatorId) ?? { kind: 'ended' };
      return creator.kind === 'visible' ? visibilityOfBytes(eventId, published) : creator;
    };
  }

  /** Those whose events may be seen, if their keys are available. */
  async creatorsShown(creatorIds: Iterable<CreatorId>): Promise<ReadonlySet<CreatorId>> {
    const creators = await this.creators.of(new Set(creatorIds));
    return new Set([...creators].filter(([, { kind }]) => kind === 'visible').map(([id]) => id));
  }

  /** Drops all events; a later request for one of them costs one more read. */
  forget(): void {
    this.clearings++;
    this.published.clear();
  }

  private async readAhead(workspaceId: WorkspaceId, { from, limit }: Run): Promise<readonly Published[]> {
    const { clearings } = this;
    const isInOrder = this.published.peek(keyOf(workspaceId, from - 1)) !== undefined;
    const run = { from, limit: isInOrder ? Math.max(limit, READ_AHEAD) : limit };
    const events = (await this.log.readStream(streamName(EVENT_FEED, workspaceId), run)) as Published[];
    // D72: anything read before an erasure may contain erased texts.
    if (clearings === this.clearings)
      for (const event of events) this.published.set(keyOf(workspaceId, event.revision), event);
    return events;
  }
}

const keyOf = (workspaceId: WorkspaceId, revision: Revision): string => `${workspaceId}@${revision}`;

type Run = { from: Revision; limit: number };

const runsOf = (revisions: readonly Revision[]): Run[] => {
  const runs: Run[] = [];
  for (const revision of revisions.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && revision - (last.from + last.limit) <= MAX_GAP) last.limit = revision - last.from + 1;
    else runs.push({ from: revision, limit: 1 });
  }
  return runs;
};

const visibilityOfBytes = (eventId: PublicEventId, published: Published | undefined): Visibility => {
  if (published?.data.eventId !== eventId) throw new Error(`the feed has lost ${eventId}`);
  const { bytes } = published.data.personal;
  if (bytes === ERASED) return { kind: 'erased' };
  if (bytes !== ENCRYPTED) return { kind: 'visible', bytes };
  const error = new PersonalDataUnreadable(`${eventId} cannot be decrypted: its creator's key is missing`);
  return { kind: 'unreadable', error };
};
