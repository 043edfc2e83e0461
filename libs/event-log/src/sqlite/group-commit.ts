import { type Appended, StoreUnavailable } from '#kernel/ports';
import type { EncodedAppend } from '../encoded-append.js';
import { unavailable } from './retry-while-busy.js';
import type { Verdict } from './writer.js';

/** Limits of a group, so that no commit takes long. */
const GROUP_EVENTS = 512;
const GROUP_BYTES = 1024 * 1024;

interface Waiting {
  readonly append: EncodedAppend;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/** Groups the appends of one turn of the event loop, and those during a commit, so that they share a sync to disk. */
export class GroupCommit {
  readonly #queue: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly write: (group: readonly EncodedAppend[]) => Promise<readonly Verdict[]>) {}

  append(append: EncodedAppend): Promise<Appended> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the event log is closed'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ append, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Accepts no more appends, and resolves when all accepted ones have a verdict. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Writers that waited for the last commit make their next append within this turn.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commit(this.#takeGroup());
    }
    this.#draining = undefined;
  }

  #takeGroup(): Waiting[] {
    let events = 0;
    let bytes = 0;
    const tooMany = this.#queue.findIndex(({ append }, index) => {
      events += append.events.length;
      bytes += append.bytes;
      return index > 0 && (events > GROUP_EVENTS || bytes > GROUP_BYTES);
    });
    return this.#queue.splice(0, tooMany === -1 ? this.#queue.length : tooMany);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const verdicts = await this.write(group.map((waiting) => waiting.append));
      for (const [index, { resolve, reject }] of group.entries()) {
        const verdict = verdicts[index];
        if (verdict === undefined || verdict instanceof Error)
          reject(verdict ?? new StoreUnavailable('the thread returned no verdict on the append'));
        else resolve(verdict);
      }
    } catch (error) {
      for (const { reject } of group) reject(unavailable(error));
    }
  }
}
