import { type Duration, NO_EVENTS, type Position, type StoredLog, type StoredRecord, type StreamName } from '#kernel';
import { ByteLimit } from './byte-limit.js';
import type { Connection } from './connection.js';
import { nothingOfTheDeleted, withRetries } from './failures.js';
import { storedIn } from './recorded.js';
import { headRequest, pageRequest, streamRequest } from './requests.js';

const EVENTS_PER_PAGE = 1_000;

/** The server stores data and metadata as the bytes that were sent, and returns them unchanged. */
export class EventStoreDbStoredLog implements StoredLog {
  constructor(
    private readonly connection: Connection,
    private readonly retryFor: Duration,
  ) {}

  async *pages(): AsyncGenerator<readonly StoredRecord[]> {
    const [last] = await this.#read(headRequest());
    const head = last?.position ?? 0;
    for (let after = NO_EVENTS; after < head; ) {
      // The event at the position itself is given again.
      const page = await this.#read(pageRequest(Math.max(after, 0), EVENTS_PER_PAGE + 1, {}), after);
      const isNew = page.filter(({ position }) => position > after && position <= head);
      after = page.at(-1)?.position ?? head;
      yield isNew.flatMap(({ event }) => event ?? []);
    }
  }

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredRecord[]> {
    const all = await this.#read(streamRequest(stream as StreamName, { from, limit }));
    return all.flatMap(({ event }) => event ?? []);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** With `after`, a page: large events end it early. */
  async #read(request: Parameters<Connection['read']>[0], after?: Position) {
    const limit = () => (after === undefined ? {} : { limit: new ByteLimit(after) });
    const read = () => this.connection.read(request, storedIn, limit()).catch(nothingOfTheDeleted);
    return (await withRetries(read, this.retryFor)).flatMap((one) => one ?? []);
  }
}
