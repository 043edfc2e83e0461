import {
  agencyId,
  type CreatorId,
  type DomainEvent,
  derivedId,
  derivedUuid,
  type EventMetadata,
  type Instant,
  NO_EVENTS,
  type RecordedEvent,
  type StreamName,
} from '#kernel';
import { InMemoryEventLog } from '#testing';

export const lumen = agencyId('ag_lumen');
export const workspaceId = derivedId('workspace', lumen);
export const creatorId = (name: string): CreatorId => derivedId('creator', name);

/** A log that a test fills event by event, each a minute after the previous one by default. */
export class Recording {
  readonly log = new InMemoryEventLog();
  private readonly revisions = new Map<StreamName, number>();
  private at: Instant = Date.parse('2026-11-01T00:00:00Z');
  private count = 0;

  async record(stream: StreamName, event: DomainEvent, metadata: Partial<EventMetadata> = {}): Promise<RecordedEvent> {
    this.at = metadata.at ?? this.at + 60_000;
    const id = derivedUuid('recording', ++this.count);
    const correlationId = metadata.correlationId ?? `req-${this.count}`;
    const whole = { causationId: null, actor: 'process:test', workspaceId, ...metadata, at: this.at, correlationId };
    const revision = this.revisions.get(stream) ?? NO_EVENTS;
    const expected = revision === NO_EVENTS ? 'none' : revision;
    await this.log.append(stream, expected, [{ id, ...event, metadata: whole }]);
    this.revisions.set(stream, revision + 1);
    const [recorded] = await this.log.readStream(stream, { from: revision + 1, limit: 1 });
    if (recorded === undefined) throw new Error(`${stream} lost an event`);
    return recorded;
  }
}
