import type { Duration, LogPage, Position, ReadLog, ReadStream, RecordedEvent, StreamName } from '#kernel';
import type { Connection } from './connection.js';
import { isDeleted, patiently } from './failures.js';
import { seen } from './recorded.js';
import { headRequest, matches, pageRequest, streamRequest } from './requests.js';

/** Reads that have an end. Each is asked again while the server does not answer. */
export class Reader {
  constructor(
    private readonly connection: Connection,
    private readonly patience: { readonly attempt: Duration; readonly patience: Duration },
  ) {}

  async stream(stream: StreamName, options: ReadStream): Promise<RecordedEvent[]> {
    if (options.limit === 0) return [];
    const { attempt, patience } = this.patience;
    const request = streamRequest(stream, options);
    const messages = await patiently(() => this.connection.read(request, { silence: attempt }).catch(gone), patience);
    return messages.map((message) => seen(message)?.event).filter((event) => event !== undefined);
  }

  async head(signal?: AbortSignal): Promise<Position> {
    const { attempt, patience } = this.patience;
    const read = () => this.connection.read(headRequest(), { signal, silence: attempt });
    const [last] = await patiently(read, patience, signal);
    return (last && seen(last)?.position) ?? 0;
  }

  /** One more than is asked for tells whether it is the last page. */
  async log({ after, limit = 1_000, ...filter }: ReadLog, signal?: AbortSignal): Promise<LogPage> {
    const isFiltered = filter.types !== undefined || filter.categories !== undefined;
    // Read before the page, which therefore sees all up to here, and passes what the filter leaves out.
    const head = isFiltered ? await this.head(signal) : after;
    // How long a search takes depends on the log.
    const request = pageRequest(after, limit + 2, filter);
    const messages = await patiently(() => this.connection.read(request, { signal }), this.patience.patience, signal);
    const all = messages
      .map(seen)
      .filter((one) => one !== undefined)
      .filter(({ position }) => position > after);
    const page = all.slice(0, limit);
    const atEnd = all.length <= limit;
    const last = page.at(-1)?.position ?? after;
    return {
      events: page.flatMap(({ event }) => (event && matches(filter, event) ? [event] : [])),
      reached: atEnd ? Math.max(last, head) : last,
      atEnd,
    };
  }
}

/** Nothing is left of a stream that was deleted for good. */
const gone = (error: unknown): never[] => {
  if (isDeleted(error)) return [];
  throw error;
};
