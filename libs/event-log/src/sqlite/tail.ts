import { categoryOf, type LogPage, type Position, type ReadLog, type Revision } from '#kernel/ports';
import { type EncodedAppend, type EncodedEvent, parseBody, recordedBody } from '../encoded-append.js';
import type { Written } from './writer.js';

/** More is read from the file: whoever needs it has fallen behind. */
const MOST_EVENTS = 4_000;
const MOST_BYTES = 4 * 1024 * 1024;

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
 * The end of the log, where this process has written it: groups of appends, between which nobody else appended. Several
 * followers go along the end, and most often nothing that was just appended is for them: that costs no read.
 */
export class Tail {
  constructor(private readonly isOn = true) {}

  #groups: Group[] = [];
  #events = 0;
  #bytes = 0;

  /** The head that this process's last group has left; undefined before the first. */
  get end(): Position | undefined {
    return this.#groups.at(-1)?.after;
  }

  /** What a group has become. */
  wrote(group: readonly EncodedAppend[], { before, after, verdicts }: Written): void {
    if (!this.isOn || before === after) return;
    if (this.end !== before) this.#clear();
    const entries: Entry[] = [];
    let [bytes, last] = [0, before];
    for (const [index, { stream, events, bytes: size }] of group.entries()) {
      const verdict = verdicts[index];
      // The verdict on a repeated append names an earlier place, which may be one of this group.
      if (verdict === undefined || verdict instanceof Error || verdict.position <= last) continue;
      last = verdict.position;
      bytes += size;
      for (const [place, event] of events.entries()) {
        const back = events.length - 1 - place;
        const [revision, position] = [verdict.revision - back, verdict.position - back];
        entries.push({ event, category: categoryOf(stream), revision, position });
      }
    }
    this.#groups.push({ before, after, bytes, entries });
    this.#events += entries.length;
    this.#bytes += bytes;
    while (this.#events > MOST_EVENTS || this.#bytes > MOST_BYTES) this.#dropFirst();
  }

  /** Undefined where it is not known here what comes after that position. */
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

/** Each reader has events of its own. */
const recorded = ({ event, revision, position }: Entry) => parseBody(recordedBody(event, revision, position));
