import type { OnApplicationShutdown } from '@nestjs/common';
import type { CreatorEvent } from '#creators';
import { type CreatorId, type Duration, type EventLog, followLog, type Logger, type Position, streamId } from '#kernel';

/** Between the two events, which an interrupted erasure leaves far apart, forgotten data can be read again. */
const ERASED: ReadonlySet<string> = new Set<CreatorEvent['type']>([
  'creator.personalDataErased.v1',
  'creator.personalKeyDestroyed.v1',
]);

export type Forget = (creatorId: CreatorId) => void;

/** Has a process forget a creator that any process has erased: cached keys, folds and published events (D72). */
export class ErasureFollower implements OnApplicationShutdown {
  private readonly forgets: Forget[] = [];
  onReached: (position: Position) => void = () => undefined;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;

  constructor(
    private readonly log: Pick<EventLog, 'follow' | 'head' | 'tail'>,
    /** As long as a read that began before the key was destroyed may still bring something back. */
    private readonly again: Duration,
    private readonly logger: Logger,
  ) {
    // Before the tail reports that it has passed the event, and a state from before it is taken for up to date.
    log.tail?.watch((event) => {
      if (event !== undefined && ERASED.has(event.type)) this.forget(streamId(event.stream) as CreatorId);
    });
  }

  onErasure(forget: Forget): void {
    this.forgets.push(forget);
  }

  /** Follows the log from its present end on; what was erased before was never read here. */
  start(): void {
    this.following ??= this.follow();
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private follow(): Promise<void> {
    const { signal } = this.stopping;
    const following = { what: 'erasures', filter: { types: ERASED }, signal, logger: this.logger };
    return followLog(this.log, following, ({ events, reached }) => {
      for (const { stream } of events) this.forget(streamId(stream) as CreatorId);
      this.onReached(reached);
    });
  }

  private forget(creatorId: CreatorId): void {
    const all = () => {
      for (const forget of this.forgets) forget(creatorId);
    };
    all();
    setTimeout(all, this.again).unref();
  }
}
