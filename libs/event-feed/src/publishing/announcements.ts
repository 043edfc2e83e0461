import { Injectable } from '@nestjs/common';
import { CasesOptions, casesContext } from '#cases';
import { creatorsContext } from '#creators';
import { deindexingContext } from '#deindexing';
import { impersonationsContext } from '#impersonations';
import {
  type AnnouncedStreams,
  announcesNothing,
  type Cache,
  Caches,
  type Decider,
  type DomainEvent,
  EventLog,
  emptyState,
  foldEvent,
  type LoadedState,
  memorySizeOf,
  partBySize,
  type RecordedEvent,
  streamId,
} from '#kernel';
import { scansContext } from '#scans';
import type { Announcement } from '../domain/public-event.js';

/** Events of one read: the largest ones together take some tens of megabytes. */
const PAGE_SIZE = 100;
/** For each decider. */
const CACHE_BYTES = { usual: 4 * 1024 * 1024, large: 2 * 1024 * 1024 };

/** A stream's state just before and just after one of its events. Later events do not change it. */
export class StateAt<State, Event extends DomainEvent> {
  private readonly folds: Cache<string, LoadedState<State>>;
  private clearings = 0;

  constructor(
    private readonly log: EventLog,
    private readonly decider: Decider<State, Event>,
    caches: Caches,
  ) {
    this.folds = caches.createInParts({
      bytes: CACHE_BYTES,
      partOf: (_, size) => partBySize(size),
      sizeOf: ({ state }) => memorySizeOf(state),
    });
  }

  forget(): void {
    this.clearings++;
    this.folds.clear();
  }

  async step(event: RecordedEvent<Event>) {
    const { clearings } = this;
    const before = await this.before(event);
    const after = foldEvent(this.decider, before, event);
    // D72: anything read before an erasure may contain erased texts.
    if (clearings === this.clearings) this.folds.set(event.stream, after);
    return { before, after };
  }

  private async before({ stream, revision }: RecordedEvent<Event>): Promise<LoadedState<State>> {
    const known = this.folds.get(stream);
    let folded = known !== undefined && known.revision < revision ? known : emptyState(this.decider, streamId(stream));
    while (folded.revision < revision - 1) {
      const limit = Math.min(PAGE_SIZE, revision - 1 - folded.revision);
      const page = await this.log.readStream(stream, { from: folded.revision + 1, limit });
      if (page.length === 0) throw new Error(`${stream} ends before revision ${revision}`);
      folded = (page as RecordedEvent<Event>[]).reduce((state, event) => foldEvent(this.decider, state, event), folded);
    }
    return folded;
  }
}

/** Only cases needs options for its announcements. */
type AnyStreams = AnnouncedStreams<unknown, DomainEvent, Announcement, CasesOptions>;
type Row = AnyStreams['rows'][string];

const ANNOUNCED: readonly AnyStreams[] = [
  creatorsContext,
  casesContext,
  impersonationsContext,
  scansContext,
  deindexingContext,
].flatMap(({ announcements }): readonly AnyStreams[] => announcements);

const rowsOf = ({ rows }: AnyStreams): [type: string, row: Row][] =>
  Object.entries(rows).filter(([, row]) => row !== announcesNothing);

export const ANNOUNCED_TYPES: ReadonlySet<string> = new Set(ANNOUNCED.flatMap(rowsOf).map(([type]) => type));

/** Computes what an event of the log announces to agencies. The same event always gives the same announcements. */
@Injectable()
export class Announcements {
  private readonly byType = new Map<
    string,
    { readonly row: Row; readonly states: StateAt<unknown, DomainEvent> | null }
  >();

  constructor(
    log: EventLog,
    private readonly options: CasesOptions,
    caches: Caches = Caches.ON,
  ) {
    for (const streams of ANNOUNCED) {
      const states = streams.decider === null ? null : new StateAt(log, streams.decider, caches);
      for (const [type, row] of rowsOf(streams)) this.byType.set(type, { row, states });
    }
  }

  forget(): void {
    for (const { states } of this.byType.values()) states?.forget();
  }

  async of(event: RecordedEvent): Promise<readonly Announcement[]> {
    const announced = this.byType.get(event.type);
    if (announced === undefined) return [];
    const { row, states } = announced;
    if (states === null) return row(null, null, event, this.options);
    const { before, after } = await states.step(event);
    return row(before.state, after.state, event, this.options);
  }
}
