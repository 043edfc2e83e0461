import type { EventToAppend, StreamName } from './event.js';
import type { Appended, EventLog, ExpectedRevision, ReadStream } from './event-log.js';

/** A log that lets a test come between: before and after each append, and as a witness of what is read. */
export class InterceptedLog implements EventLog {
  readonly reads: { readonly stream: StreamName; readonly from: number | undefined }[] = [];
  appends = 0;
  beforeAppend: (stream: StreamName) => Promise<unknown> = async () => undefined;
  afterAppend: (stream: StreamName) => Promise<unknown> = async () => undefined;

  constructor(private readonly log: EventLog) {}

  async append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    this.appends++;
    await this.beforeAppend(stream);
    const appended = await this.log.append(stream, expected, events);
    await this.afterAppend(stream);
    return appended;
  }

  readStream(stream: StreamName, options: ReadStream = {}) {
    this.reads.push({ stream, from: options.from });
    return this.log.readStream(stream, options);
  }

  readLog: EventLog['readLog'] = (options) => this.log.readLog(options);
  follow: EventLog['follow'] = (options) => this.log.follow(options);
  head: EventLog['head'] = () => this.log.head();
  close: EventLog['close'] = () => this.log.close();
}
