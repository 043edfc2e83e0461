import { categoryOf, type LogPage, type Position, type ReadLog, type Revision } from '#kernel/ports';
import { type EncodedAppend, type EncodedEvent, parseBody, recordedBody } from '../encoded-append.js';
import type { Written } from './writer.js';

/** A follower that needs older events is behind, and reads them from the file. */
const MAX_EVENTS = 4_000;
const MAX_BYTES = 4 * 1024 * 1024;

interface Entry {
  readonly event: EncodedEvent;
  readonly category: string;
  readonly revision: Revision;
  readonly position: Position;
}

interface Group {
  readonly before: Position;
  readonly after: Position;
  readonly bytes: number;
  readonly entries: readonly Entry[];
}

/**
 * The end of the log, as long as only this process appends: the last groups of appends, without a gap. Several followers
 * ask for each new event, and most of them filter it out; this answers without a read.
 */
export class Tail {
  #groups: Group[] = [];
  #events = 0;
  #bytes = 0;

  constructor(private readonly isOn = true) {}

  /** The head of the log after the last group; undefined before the first group. */
  get end(): Position | undefined {
    return this.#groups.at(-1)?.after;
  }

  wrote(group: readonly EncodedAppend[], { before, after, verdicts }: Written): void {
    if (!this.isOn || before === after) return;
    if (this.end !== before) this.#clear();
    const entries: Entry[] = [];
    let [bytes, last] = [0, before];
    for (const [index, { stream, events, bytes: size }] of group.entries()) {
      const verdict = verdicts[index];
      // The verdict on a repeated append has an earlier position, which may be in this group.
      if (verdict === undefined || verdict instanceof Error || verdict.position <= last) continue;
      last = verdict.position;
      bytes += size;
      for (const [index, event] of events.entries()) {
        const back = events.length - 1 - index;
        const [revision, position] = [verdict.revision - back, verdict.position - back];
        entries.push({ event, category: categoryOf(stream), revision, position });
      }
    }
    this.#groups.push({ before, after, bytes, entries });
    this.#events += entries.length;
    this.#bytes += bytes;
    while (this.#events > MAX_EVENTS || this.#bytes > MAX_BYTES) this.#dropFirst();
  }

  /** Undefined if the tail does not reach back to that position. */
  page({ after, limit = 1_000, types, categories }: ReadLog): LogPage | undefined {
    const first = this.#groups.at(0);
    const { end } = this;
    if (first === undefined || end === undefined || after < first.before || after >= end) return undefined;
    const page: Entry[] = [];
    for (const { entries } of this.#groups.slice(this.#groups.findIndex((group) => group.after > after))) {
      for (const entry of entries) {
        if (entry.position <= after) continue;
        if (types?.has(entry.event.type) === false || categories?.has(entry.category) === false) continue;
        if (page.length === limit)
          return { events: page.map(recorded), reached: page.at(-1)?.position ?? after, atEnd: false };
        page.push(entry);
      }
    }
    return { events: page.map(recorded), reached: end, atEnd: true };
  }

  #clear(): void {
    this.#groups = [];
    this.#events = 0;
    this.#bytes = 0;
  }

  #dropFirst(): void {
    const first = this.#groups.shift();
    this.#events -= first?.entries.length ?? 0;
    this.#bytes -= first?.bytes ?? 0;
  }
}

/** Parsed for each reader, because a reader may change its events. */
const recorded = ({ event, revision, position }: Entry) => parseBody(recordedBody(event, revision, position));
