import type { DocumentStore, Lease } from './document-store.js';
import type { Position } from './event.js';
import type { EventLog } from './event-log.js';
import { typesOf } from './projection.js';
import { type EmptyTarget, Unwritten } from './unwritten.js';

/** More events at once mean longer pauses for everything else. */
const PAGE = 1_000;
/** Documents that are kept in memory before they are written; as many again are being written. */
const UNWRITTEN_BYTES = 8 * 1024 * 1024;

/** Fills collections, which nobody else writes, from the log. */
export class Filling {
  private readonly unwritten: Unwritten;
  private readonly types: ReadonlySet<string>;

  constructor(
    readonly targets: readonly EmptyTarget[],
    private readonly log: Pick<EventLog, 'readLog'>,
    private readonly store: Pick<DocumentStore, 'getMany' | 'write'>,
    private readonly turn: Pick<Lease, 'name' | 'fence'>,
    /** How far they are filled. */
    public reached: Position,
    /** How many events of each type have been told by then. */
    readonly seen = new Map<string, number>(),
  ) {
    this.unwritten = new Unwritten(store, targets);
    this.types = typesOf(targets.map(({ projection }) => projection));
  }

  /** Takes the next page, of what is up to the position; returns whether nothing is left, and all is written. */
  async next(through: Position): Promise<boolean> {
    const page = await this.log.readLog({ after: this.reached, types: this.types, limit: PAGE });
    const events = page.reached > through ? page.events.filter(({ position }) => position <= through) : page.events;
    for (const { type } of events) this.seen.set(type, (this.seen.get(type) ?? 0) + 1);
    await this.unwritten.apply(events);
    this.reached = Math.min(page.reached, through);
    const atEnd = page.atEnd || this.reached >= through;
    if (atEnd || this.unwritten.bytes > UNWRITTEN_BYTES) await this.write();
    if (atEnd) await this.unwritten.written();
    return atEnd;
  }

  /** Writes what it has kept back. */
  async settle(): Promise<void> {
    await this.write();
    await this.unwritten.written();
  }

  private write(): Promise<void> {
    const { name, fence } = this.turn;
    const checkpoint = { name, position: this.reached, fence };
    return this.unwritten.write((writes) => this.store.write(writes, checkpoint));
  }
}
