import type { CollectionWrite, DocumentStore } from './document-store.js';
import { Drafts, sizeOf } from './drafts.js';
import type { RecordedEvent } from './event.js';
import { IdFilter } from './id-filter.js';
import { ProjectionEngine, type Target } from './projection-engine.js';

/** Documents in one write, and their size: some tens of milliseconds in which nobody else has a turn. */
const WRITE = { documents: 10_000, bytes: 4 * 1024 * 1024 };

interface Kept {
  readonly collection: string;
  readonly drafts: Drafts;
  /** Which ids have ever been stored: there is no need to ask for others. */
  readonly stored: IdFilter;
}

/**
 * Changes to collections that were empty and that nobody else writes, kept back until there are many: a document that
 * changes often is written once, one that soon vanishes never, and, in the order of ids, each page of an index once.
 */
export class Unwritten {
  private readonly engine: ProjectionEngine;
  private readonly kept: readonly Kept[];
  private readonly drafts: readonly Drafts[];

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    targets: readonly Target[],
  ) {
    this.engine = new ProjectionEngine(targets);
    this.kept = targets.map(({ collection }) => {
      const stored = new IdFilter();
      return { collection, stored, drafts: new Drafts((id) => stored.mayHave(id), sizeOf) };
    });
    this.drafts = this.kept.map(({ drafts }) => drafts);
  }

  /** About how much memory the documents take that it keeps. */
  get bytes(): number {
    return this.drafts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Folds the events into what has been kept back, or has been written before. */
  apply(events: readonly RecordedEvent[]): Promise<void> {
    return this.engine.apply(this.store, events, this.drafts);
  }

  /** Hands over all changes, in pieces, and keeps nothing. */
  async write(write: (writes: readonly CollectionWrite[]) => Promise<void>): Promise<void> {
    for (const { collection, drafts, stored } of this.kept) {
      for (const { put, remove } of drafts.changes(WRITE)) {
        for (const { id } of put) stored.add(id);
        await write([{ collection, put, remove }]);
      }
      drafts.clear();
    }
  }
}
