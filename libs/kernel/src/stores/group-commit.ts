import { StoreUnavailable } from './event-log.js';
import { assertLeading } from './leading.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Those of one turn of the event loop, and those during a commit, because a commit costs more than most writes. */
export class GroupCommit<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly name: string,
    /** Answers with the outcome of each item, in order; an error rejects that item alone. */
    private readonly commit: (group: readonly Item[]) => Promise<readonly (Result | Error)[]>,
    /** The part of a group that an item takes, so that no commit takes long; a larger item is a group of one. */
    private readonly shareOf: (item: Item) => number = () => 0,
  ) {}

  async add(item: Item): Promise<Result> {
    assertLeading();
    if (this.#closed) throw new StoreUnavailable(`${this.name} is closed`);
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Accepts nothing more, and resolves when everything that was accepted has an outcome. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Writers that waited for the last commit make their next write within this turn.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commit(this.#takeGroup());
    }
    this.#draining = undefined;
  }

  #takeGroup(): Waiting<Item, Result>[] {
    let taken = 0;
    const tooMany = this.#queue.findIndex(({ item }, index) => {
      taken += this.shareOf(item);
      return index > 0 && taken > 1;
    });
    return this.#queue.splice(0, tooMany === -1 ? this.#queue.length : tooMany);
  }

  async #commit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.commit(group.map(({ item }) => item));
      // A writer without an outcome would wait forever.
      if (outcomes.length !== group.length) throw new StoreUnavailable(`${this.name} has not answered every write`);
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome instanceof Error) group[index]?.reject(outcome);
        else group[index]?.resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
