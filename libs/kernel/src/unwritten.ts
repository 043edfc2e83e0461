import type { CollectionWrite, Document, DocumentStore } from './document-store.js';
import { Drafts, sizeOf } from './drafts.js';
import type { RecordedEvent } from './event.js';
import { IdFilter } from './id-filter.js';
import type { Projected } from './projection.js';
import { ProjectionEngine, type Target } from './projection-engine.js';

type Stored = Projected<Document>;

/** Documents in one write, and their size: some 20 milliseconds in which nobody else has a turn. */
const WRITE = { documents: 5_000, bytes: 2 * 1024 * 1024 };

interface Kept {
  readonly collection: string;
  drafts: Drafts;
  /** What is being written, and not yet to be read from the store. */
  leaving: Drafts;
}

/**
 * Changes to collections that were empty and that nobody else writes, kept back until there are many: a document that
 * changes often is written once, one that soon vanishes never, and, in the order of ids, each page of an index once.
 * While some are written, others come together.
 */
export class Unwritten {
  /** Which ids have ever been handed over, to whichever collection: there is no need to ask for others. */
  private readonly stored = new IdFilter();
  private readonly engine: ProjectionEngine;
  private readonly kept: readonly Kept[];
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    targets: readonly Target[],
  ) {
    this.kept = targets.map(({ collection }) => ({ collection, drafts: this.noDrafts(), leaving: NONE }));
    this.engine = new ProjectionEngine(targets);
  }

  /** About how much memory the documents take that wait to be written. */
  get bytes(): number {
    return this.kept.reduce((sum, { drafts }) => sum + drafts.bytes, 0);
  }

  /** Folds the events into what has been kept back, or has been written before. */
  async apply(events: readonly RecordedEvent[]): Promise<void> {
    this.engine.fold(
      events,
      this.kept.map(({ drafts }) => drafts),
    );
    for (const { collection, drafts, leaving } of this.kept) {
      await drafts.load((ids) => this.read(collection, leaving, ids));
    }
  }

  /**
   * Begins to hand over all changes, in pieces, once what was handed over before has been written; rejects where that
   * failed.
   */
  async write(write: (writes: readonly CollectionWrite[]) => Promise<void>): Promise<void> {
    await this.writing;
    const changed = this.kept.map((kept) => {
      kept.leaving = kept.drafts;
      kept.drafts = this.noDrafts();
      const ids = kept.leaving.changed();
      for (const id of ids) this.stored.add(id);
      return ids;
    });
    this.writing = this.handOver(changed, write);
    // It is for the next to say that it failed.
    this.writing.catch(() => undefined);
  }

  /** Resolves when all that was handed over has been written. */
  written(): Promise<void> {
    return this.writing;
  }

  private noDrafts(): Drafts {
    return new Drafts((id) => this.stored.mayHave(id), sizeOf);
  }

  private async handOver(
    changed: readonly (readonly string[])[],
    write: (writes: readonly CollectionWrite[]) => Promise<void>,
  ): Promise<void> {
    for (const [index, kept] of this.kept.entries()) {
      for (const { put, remove } of kept.leaving.changes(WRITE, changed[index])) {
        await write([{ collection: kept.collection, put, remove }]);
      }
      kept.leaving = NONE;
    }
  }

  private async read(collection: string, leaving: Drafts, ids: readonly string[]): Promise<readonly Stored[]> {
    const known = ids.flatMap((id) => leaving.get(id) ?? []);
    const others = ids.filter((id) => !leaving.has(id));
    return others.length === 0 ? known : [...known, ...(await this.store.getMany<Stored>(collection, others))];
  }
}

const NONE = new Drafts();
