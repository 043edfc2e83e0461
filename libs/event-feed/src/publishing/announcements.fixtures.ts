import type { CaseEvent } from '#cases';
import type { CreatorEvent } from '#creators';
import type { DeindexRequestEvent } from '#deindexing';
import type { ImpersonationEvent } from '#impersonations';
import { type Instant, MINUTE, newEventId, type RecordedEvent, streamName } from '#kernel';
import type { ScanEvent } from '#scans';
import { InMemoryEventLog } from '#testing';
import { mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { Announcements } from './announcements.js';

export type AnnouncedEvent = CreatorEvent | CaseEvent | ImpersonationEvent | ScanEvent | DeindexRequestEvent;

export const casesOptions = { walkEvery: 15 * MINUTE, faviconTemplate: undefined };

export const creatorStream = streamName('creator', mia);

/** A log, and the announcements of its events. */
export class AnnouncedLog {
  readonly log = new InMemoryEventLog();
  readonly announcements = new Announcements(this.log, casesOptions);

  async record(stream: `${string}-${string}`, events: readonly AnnouncedEvent[], at: Instant = 1_000) {
    const metadata = { at, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId };
    const { revision } = await this.log.append(
      stream,
      'any',
      events.map((event) => ({ id: newEventId(), ...event, metadata })),
    );
    const from = revision - events.length + 1;
    return (await this.log.readStream(stream, { from })) as RecordedEvent<AnnouncedEvent>[];
  }

  /** Records the events and returns the announcements that the last one causes. */
  async ofLastIn(stream: `${string}-${string}`, ...events: readonly AnnouncedEvent[]) {
    const last = (await this.record(stream, events)).at(-1);
    return last === undefined ? [] : this.announcements.of(last);
  }

  ofLast(...events: readonly CreatorEvent[]) {
    return this.ofLastIn(creatorStream, ...events);
  }

  async typesOfLast(...events: readonly CreatorEvent[]) {
    return (await this.ofLast(...events)).map(({ type }) => type);
  }
}
