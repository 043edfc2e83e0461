import type { Duration, LogPage, Position, ReadLog, ReadStream, RecordedEvent, StreamName } from '#kernel';
import type { Connection } from './connection.js';
import { nothingOfTheDeleted, patiently } from './failures.js';
import { type Seen, seen } from './recorded.js';
import { headRequest, matches, pageRequest, streamRequest } from './requests.js';

/** Reads that have an end. Each is asked again while the server does not answer. */
export class Reader {
  constructor(
    private readonly connection: Connection,
    private readonly patience: { readonly attempt: Duration; readonly patience: Duration },
  ) {}

  /** As many as are asked for, also where others have written into the stream. */
  async stream(
    stream: StreamName,
    { limit = Number.POSITIVE_INFINITY, ...options }: ReadStream,
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const step = options.direction === 'backwards' ? -1 : 1;
    for (let from = options.from; events.length < limit; ) {
      const asked = limit - events.length;
      const part = await this.#streamPart(stream, { ...options, ...(from !== undefined && { from }), limit: asked });
      for (const { event } of part) if (event) events.push(event);
      const next = (part.at(-1)?.revision ?? 0) + step;
      if (part.length < asked || next < 0) break;
      from = next;
    }
    return events;
  }

  async head(signal?: AbortSignal): Promise<Position> {
    const { attempt, patience } = this.patience;
    const read = () => this.connection.read(headRequest(), seen, { signal, silence: attempt });
    const [last] = await patiently(read, patience, signal);
    return last?.position ?? 0;
  }

  async #streamPart(stream: StreamName, options: ReadStream): Promise<Seen[]> {
    const { attempt, patience } = this.patience;
    const request = streamRequest(stream, options);
    const read = () => this.connection.read(request, seen, { silence: attempt }).catch(nothingOfTheDeleted);
    return (await patiently(read, patience)).flatMap((one) => one ?? []);
  }

  /** One more than is asked for tells whether it is the last page. */
  async log({ after, limit = 1_000, ...filter }: ReadLog, signal?: AbortSignal): Promise<LogPage> {
    const isFiltered = filter.types !== undefined || filter.categories !== undefined;
    // Read before the page, which therefore sees all up to here, and passes what the filter leaves out.
    const head = isFiltered ? await this.head(signal) : after;
    // How long a search takes depends on the log.
    const request = pageRequest(after, limit + 2, filter);
    const read = () => this.connection.read(request, seen, { signal });
    const all = (await patiently(read, this.patience.patience, signal)).flatMap((one) =>
      one && one.position > after ? one : [],
    );
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
