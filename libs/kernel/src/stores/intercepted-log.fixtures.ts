import type { EventToAppend, StreamName } from '../events/event.js';
import type { Appended, EventLog, ExpectedRevision, LogPage, ReadStream } from './event-log.js';

/** A log with hooks before and after each append, which also records the reads. */
export class InterceptedLog implements EventLog {
  readonly reads: { readonly stream: StreamName; readonly from: number | undefined }[] = [];
  appends = 0;
  beforeAppend: (stream: StreamName) => Promise<unknown> = async () => undefined;
  afterAppend: (stream: StreamName) => Promise<unknown> = async () => undefined;

  beforeRead: () => Promise<unknown> = async () => undefined;
  onReadLog: (page: LogPage) => LogPage = (page) => page;

  constructor(private readonly log: EventLog) {}

  async append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    this.appends++;
    await this.beforeAppend(stream);
    const appended = await this.log.append(stream, expected, events);
    await this.afterAppend(stream);
    return appended;
  }

  async readStream(stream: StreamName, options: ReadStream = {}) {
    this.reads.push({ stream, from: options.from });
    await this.beforeRead();
    return this.log.readStream(stream, options);
  }

  readLog: EventLog['readLog'] = async (options) => this.onReadLog(await this.log.readLog(options));
  follow: EventLog['follow'] = (options) => this.log.follow(options);
  head: EventLog['head'] = () => this.log.head();
  close: EventLog['close'] = () => this.log.close();
}
