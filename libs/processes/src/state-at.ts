import { LRUCache } from 'lru-cache';
import {
  type Decider,
  type DomainEvent,
  type EventLog,
  type Folded,
  foldEvent,
  type RecordedEvent,
  type Revision,
  type StreamName,
  unborn,
} from '#kernel';

const PAGE = 1_000;
const REMEMBERED = 20_000;

export interface Step<State> {
  readonly before: Folded<State>;
  readonly after: Folded<State>;
}

/** A stream's state just before and just after one of its events, whatever has come since. */
export class StateAt<State, Event extends DomainEvent> {
  private readonly folds = new LRUCache<string, Folded<State>>({ max: REMEMBERED });

  constructor(
    private readonly log: EventLog,
    private readonly decider: Decider<State, Event>,
  ) {}

  async step(event: RecordedEvent<Event>): Promise<Step<State>> {
    const before = await this.before(event);
    const after = foldEvent(this.decider, before, event);
    this.folds.set(event.stream, after);
    return { before, after };
  }

  /** Each step of the stream from its beginning to a revision. */
  async *history(stream: StreamName, through: Revision): AsyncGenerator<Step<State>> {
    let before: Folded<State> = unborn(this.decider);
    while (before.revision < through) {
      const limit = Math.min(PAGE, through - before.revision);
      const page = await this.log.readStream(stream, { from: before.revision + 1, limit });
      if (page.length === 0) throw new Error(`${stream} ends before revision ${through}`);
      for (const event of page as RecordedEvent<Event>[]) {
        const after = foldEvent(this.decider, before, event);
        yield { before, after };
        before = after;
      }
    }
  }

  private async before({ stream, revision }: RecordedEvent<Event>): Promise<Folded<State>> {
    const known = this.folds.get(stream);
    let folded = known !== undefined && known.revision < revision ? known : unborn(this.decider);
    while (folded.revision < revision - 1) {
      const limit = Math.min(PAGE, revision - 1 - folded.revision);
      const page = await this.log.readStream(stream, { from: folded.revision + 1, limit });
      if (page.length === 0) throw new Error(`${stream} ends before revision ${revision}`);
      folded = (page as RecordedEvent<Event>[]).reduce((state, event) => foldEvent(this.decider, state, event), folded);
    }
    return folded;
  }
}
