import { type Duration, NO_EVENTS, type StoredLog, type StoredRecord, type StreamName } from '#kernel';
import type { Connection } from './connection.js';
import { isDeleted, patiently } from './failures.js';
import { seen, storedIn } from './recorded.js';
import { headRequest, pageRequest, streamRequest } from './requests.js';

const PAGE = 1_000;

/** The server keeps data and metadata as the bytes that were sent, and gives them back. */
export class EventStoreDbStoredLog implements StoredLog {
  constructor(
    private readonly connection: Connection,
    private readonly patience: Duration,
  ) {}

  async *pages(): AsyncGenerator<readonly StoredRecord[]> {
    const [last] = await this.#read(headRequest());
    const head = (last && seen(last)?.position) ?? 0;
    for (let after = NO_EVENTS; after < head; ) {
      const asked = Math.max(after, 0);
      // The event at the position itself is given again.
      const messages = await this.#read(pageRequest(asked, PAGE + 1, {}));
      const positions = messages.map((message) => seen(message)?.position ?? NO_EVENTS);
      const reached = Math.max(...positions, NO_EVENTS);
      if (reached <= after) return;
      const isNew = (_: unknown, index: number) => (positions[index] ?? 0) > after && (positions[index] ?? 0) <= head;
      yield messages
        .filter(isNew)
        .map(storedIn)
        .filter((event) => event !== undefined);
      after = reached;
    }
  }

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredRecord[]> {
    try {
      const messages = await this.#read(streamRequest(stream as StreamName, { from, limit }));
      return messages.map(storedIn).filter((event) => event !== undefined);
    } catch (error) {
      if (isDeleted(error)) return [];
      throw error;
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  #read(request: Parameters<Connection['read']>[0]) {
    return patiently(() => this.connection.read(request), this.patience);
  }
}
