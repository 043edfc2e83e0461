import { type Duration, StoreUnavailable } from '#kernel/ports';
import { WriterThread } from '#threads';
import type { EncodedAppend } from '../encoded-append.js';
import { type AppendMessage, appendMessage, type GroupMessage, verdictOf } from './wire.js';
import type { Written } from './writer.js';

export interface AppendThreadSettings {
  readonly file: string;
  readonly busyFor: Duration;
}

export class AppendThread {
  readonly #thread: WriterThread<AppendThreadSettings, readonly AppendMessage[], GroupMessage>;

  constructor(settings: AppendThreadSettings) {
    this.#thread = new WriterThread(new URL('./appending.thread.js', import.meta.url), settings);
  }

  /** A verdict for each append, after all are on disk. Rejects with `StoreUnavailable`. */
  async write(group: readonly EncodedAppend[]): Promise<Written> {
    const answer = await this.#thread.ask(group.map(appendMessage));
    if ('failure' in answer) {
      const { failure, code } = answer;
      throw new StoreUnavailable(failure, { cause: Object.assign(new Error(failure), { code }) });
    }
    const { end, verdicts } = answer;
    return {
      end,
      verdicts: group.map((append, index) =>
        verdictOf(verdicts[index] ?? { invalid: 'the thread returned no verdict on the append' }, append),
      ),
    };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
