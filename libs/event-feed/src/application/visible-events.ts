import { Injectable } from '@nestjs/common';
import { CreatorVisibilities, type CreatorVisibility } from '#creators';
import {
  Caches,
  type CreatorId,
  ENCRYPTED,
  ERASED,
  EventLog,
  PersonalDataUnreadable,
  type PublicEventId,
  type RecordedEvent,
  type Revision,
  type WorkspaceId,
} from '#kernel';
import type { EventPublished } from '../domain/event-feed.js';
import { PublishedEvents } from './published-events.js';

type Published = RecordedEvent<EventPublished>;

/** What an agency may see of a published event now: its bytes, or why it may not. */
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
  private readonly published: PublishedEvents;

  constructor(
    log: EventLog,
    private readonly creators: CreatorVisibilities,
    caches: Caches = Caches.ON,
  ) {
    this.published = new PublishedEvents(log, caches);
  }

  /** The events of the workspace's feed at these revisions, whether visible or not, and maybe others near them. */
  read(workspaceId: WorkspaceId, revisions: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    return this.published.at(workspaceId, revisions);
  }

  /** Reads the creators: call it last, directly before the events leave the service. */
  async ruleFor(creatorIds: Iterable<CreatorId>): Promise<VisibilityRule> {
    const creators = await this.creators.of(new Set(creatorIds));
    return ({ creatorId, eventId }, published) => {
      const creator = creators.get(creatorId) ?? { kind: 'ended' };
      return creator.kind === 'visible' ? visibilityOfBytes(eventId, published) : creator;
    };
  }

  /** Those whose events may be seen, as far as their keys are there. */
  async creatorsShown(creatorIds: Iterable<CreatorId>): Promise<ReadonlySet<CreatorId>> {
    const creators = await this.creators.of(new Set(creatorIds));
    return new Set([...creators].filter(([, { kind }]) => kind === 'visible').map(([id]) => id));
  }

  forget(): void {
    this.published.forget();
  }
}

const visibilityOfBytes = (eventId: PublicEventId, published: Published | undefined): Visibility => {
  if (published?.data.eventId !== eventId) throw new Error(`the feed has lost ${eventId}`);
  const { bytes } = published.data.personal;
  if (bytes === ERASED) return { kind: 'erased' };
  if (bytes !== ENCRYPTED) return { kind: 'visible', bytes };
  const error = new PersonalDataUnreadable(`${eventId} cannot be decrypted: its creator's key is missing`);
  return { kind: 'unreadable', error };
};
