import { type Checkpoint, type CollectionWrite, DuplicateKey, Fenced, idOfRemoval } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import type { Catalogue } from './catalogue.js';
import type { Database, StoredCheckpoint } from './database.js';
import { apply, batchOf } from './writes.js';

/** Matches unless a newer runner has moved it, or a write is pending. */
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
    if (stored?.position === undefined) return undefined;
    const { position, fence, event } = stored;
    return { name, position, fence, ...(event && { event }) };
  }

  /** Rejects an older runner with `Fenced` before it writes anything. */
  async admit({ name, fence }: Checkpoint): Promise<void> {
    const stored = await this.stored(name);
    if (stored !== null && stored.fence > fence) throw new Fenced(name);
  }

  async move(checkpoint: Checkpoint): Promise<void> {
    const { position, fence, event = null } = checkpoint;
    await this.untilMovable(checkpoint, (stored) =>
      stored.updateOne(movable(checkpoint), { $set: { position, fence, event } }, { upsert: true }),
    );
  }

  /**
   * Writes documents without a position, whose age cannot be compared, and then the checkpoint.
   * The writes are first recorded in the checkpoint under its fence. From then on they are decided, in the order of
   * `sequence`, and a newer runner completes them before it writes.
   */
  async moveWith(checkpoint: Checkpoint, writes: readonly CollectionWrite[]): Promise<void> {
    const { name, position, fence, event = null } = checkpoint;
    const bySequence = writes.map((write) => ({ ...write, remove: write.remove?.map(idOfRemoval) }));
    const pending = { position, event, writes: JSON.stringify(bySequence) };
    const decided = await this.untilMovable(checkpoint, async (stored) => {
      const sequence = (await this.lastSequence()) + 1;
      // Another write of this checkpoint may have taken the number: then the next attempt takes a higher one.
      const filter = { ...movable(checkpoint), sequence: { $not: { $gte: sequence } } };
      const change = { $set: { fence, pending, sequence } };
      return stored.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'after' });
    });
    if (decided !== null) await this.complete(decided);
    await this.admit({ name, position, fence });
  }

  /**
   * A collection is written under several checkpoints, and the write that was decided last wins. Writes of one document
   * under two checkpoints must not be concurrent: they could take the same number.
   */
  private async lastSequence(): Promise<number> {
    const sequences = await this.database.checkpoints.find({}, { projection: { sequence: 1 } }).toArray();
    return Math.max(0, ...sequences.map(({ sequence = 0 }) => sequence));
  }

  private stored(name: string): Promise<StoredCheckpoint | null> {
    return this.database.checkpoints.findOne({ _id: name });
  }

  /** Of several concurrent changes one succeeds; the others are rejected with `Fenced` or repeated. */
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

  /** Idempotent, also if another process has completed it long ago. */
  private async complete({ _id, sequence = 0, pending }: StoredCheckpoint): Promise<void> {
    if (pending === undefined) return;
    const same = { _id, sequence, pending: { $exists: true } };
    try {
      await this.apply(JSON.parse(pending.writes) as readonly CollectionWrite[], sequence);
    } catch (error) {
      // A write that a unique index refuses is dropped, and the checkpoint does not move.
      if (error instanceof DuplicateKey) await this.database.checkpoints.updateOne(same, { $unset: { pending: 1 } });
      throw error;
    }
    const { position, event = null } = pending;
    const done = { $set: { position, event }, $unset: { pending: 1 } } as const;
    await this.database.checkpoints.updateOne(same, done);
  }

  private async apply(writes: readonly CollectionWrite[], sequence: number): Promise<void> {
    const entries = await this.catalogue.entries(writes.map(({ collection }) => collection));
    for (const write of writes) {
      const entry = entries.get(write.collection);
      // A collection that was dropped since needs no write.
      if (entry === undefined) continue;
      await apply(this.database, batchOf(entry, write, { sequence }));
    }
  }
}
