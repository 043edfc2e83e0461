import { type Checkpoint, type CollectionWrite, DuplicateKey, Fenced } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import type { Catalogue } from './catalogue.js';
import type { Database } from './database.js';
import { apply, batchOf } from './writes.js';

export interface StoredCheckpoint {
  readonly _id: string;
  readonly fence: number;
  /** None before the first write has been completed. */
  readonly position?: number;
  /** Of what was ever pending, under whichever name, the number of the latest here: the order of it. */
  readonly sequence?: number;
  readonly pending?: Pending;
}

/** What is to be written before the checkpoint moves. Whoever comes next completes it. */
interface Pending {
  readonly position: number;
  /** As JSON. */
  readonly writes: string;
}

/** Not after a newer runner's, and not before what is pending is done. */
const movable = ({ name, fence }: Checkpoint) => ({
  _id: name,
  fence: { $not: { $gt: fence } },
  pending: { $exists: false },
});

export class Checkpoints {
  constructor(
    private readonly database: Database,
    private readonly catalogue: Catalogue,
  ) {}

  async read(name: string): Promise<Checkpoint | undefined> {
    const stored = await this.stored(name);
    return stored?.position === undefined ? undefined : { name, position: stored.position, fence: stored.fence };
  }

  /** Refuses an older runner, before it has written anything. */
  async admit({ name, fence }: Checkpoint): Promise<void> {
    const stored = await this.stored(name);
    if (stored !== null && stored.fence > fence) throw new Fenced(name);
  }

  /** After the documents. */
  async move(checkpoint: Checkpoint): Promise<void> {
    const { position, fence } = checkpoint;
    await this.untilMovable(checkpoint, (stored) =>
      stored.updateOne(movable(checkpoint), { $set: { position, fence } }, { upsert: true }),
    );
  }

  /**
   * Writes documents that have no position of their own by which an older write could be told, and then the checkpoint.
   * They are first put down with the checkpoint's fence: from there on they are decided, in the order of `sequence`, and
   * a newer runner completes them before it does anything else.
   */
  async moveWith(checkpoint: Checkpoint, writes: readonly CollectionWrite[]): Promise<void> {
    const { name, position, fence } = checkpoint;
    const pending = { position, writes: JSON.stringify(writes) };
    const decided = await this.untilMovable(checkpoint, async (stored) => {
      const sequence = (await this.lastSequence()) + 1;
      // Where this very checkpoint has come so far meanwhile, it is to be one more.
      const filter = { ...movable(checkpoint), sequence: { $not: { $gte: sequence } } };
      const change = { $set: { fence, pending, sequence } };
      return stored.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'after' });
    });
    if (decided !== null) await this.complete(decided);
    await this.admit({ name, position, fence });
  }

  /**
   * Collections are written under several names, and what is decided later has to win, whatever its name. Those who
   * write one document under two names do so one after the other: at once they could take the same number.
   */
  private async lastSequence(): Promise<number> {
    const sequences = await this.database.checkpoints.find({}, { projection: { sequence: 1 } }).toArray();
    return Math.max(0, ...sequences.map(({ sequence = 0 }) => sequence));
  }

  private stored(name: string): Promise<StoredCheckpoint | null> {
    return this.database.checkpoints.findOne({ _id: name });
  }

  /** Of several at once one inserts or changes; the others are told why they could not, or try again. */
  private async untilMovable<T>(
    checkpoint: Checkpoint,
    change: (stored: Database['checkpoints']) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      try {
        return await change(this.database.checkpoints);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await this.admit(checkpoint);
      const stored = await this.stored(checkpoint.name);
      if (stored !== null) await this.complete(stored);
    }
  }

  /** Harmless when repeated, and when somebody else has done it long ago. */
  private async complete({ _id, sequence = 0, pending }: StoredCheckpoint): Promise<void> {
    if (pending === undefined) return;
    const same = { _id, sequence, pending: { $exists: true } };
    try {
      await this.apply(JSON.parse(pending.writes) as readonly CollectionWrite[], sequence);
    } catch (error) {
      // What can not be done is not done: the checkpoint stays where it is.
      if (error instanceof DuplicateKey) await this.database.checkpoints.updateOne(same, { $unset: { pending: 1 } });
      throw error;
    }
    const done = { $set: { position: pending.position }, $unset: { pending: 1 } } as const;
    await this.database.checkpoints.updateOne(same, done);
  }

  private async apply(writes: readonly CollectionWrite[], sequence: number): Promise<void> {
    const entries = await this.catalogue.entries(writes.map(({ collection }) => collection));
    for (const write of writes) {
      const entry = entries.get(write.collection);
      // One that has been dropped since needs nothing.
      if (entry === undefined) continue;
      await apply(this.database, batchOf(entry, write, { sequence }));
    }
  }
}
