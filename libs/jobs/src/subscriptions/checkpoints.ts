import {
  type Checkpoint,
  type DocumentStore,
  type EventInLog,
  type EventLog,
  isOfLog,
  type Logger,
  type LogPage,
  type Position,
  silentLogger,
} from '#kernel';
import type { LogConsumer, NewBeginning } from './log-consumer.js';

export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The documents were of another log. What the consumer has prepared is gone with them. */
  readonly hasBegunAgain: boolean;
}

const FROM_THE_START: NewBeginning = { position: 0, writes: [] };

/** D92: compares checkpoints with the log, because a restored or copied store may be of another log, or newer than it. */
export class Checkpoints {
  constructor(
    private readonly store: DocumentStore,
    private readonly log: EventLog,
    private readonly logger: Logger = silentLogger,
    private readonly onRefused: (runner: string) => void = () => undefined,
  ) {}

  async isOfThisLog(runner: string): Promise<boolean> {
    const stored = await this.store.checkpoint(runner);
    return stored === undefined || isOfLog(this.log, stored);
  }

  /** Fences the consumer's checkpoint, so that a former runner can no longer write, and begins again where it has to. */
  async take(
    consumer: Pick<LogConsumer, 'name' | 'formerName' | 'beginAgain'>,
    fence: number,
  ): Promise<TakenCheckpoint> {
    const { name, formerName } = consumer;
    const taken = await takeCheckpoint(this.store, name, fence, formerName);
    if (await this.isOfThisLog(name)) {
      const event = taken.event ?? (await eventAt(this.log, taken.position));
      return { checkpoint: { ...taken, event }, hasBegunAgain: false };
    }
    this.logger.warn(
      { runner: name, position: taken.position, event: taken.event?.id },
      'the documents of the runner are of another log, or newer than this one; it begins again from the start',
    );
    this.onRefused(name);
    const { writes, position, event } = (await consumer.beginAgain?.(this.log)) ?? FROM_THE_START;
    const checkpoint = { name, fence, position, event };
    await this.store.write(writes, checkpoint);
    return { checkpoint, hasBegunAgain: true };
  }
}

/** Returns the checkpoint, and fences it: a former runner can no longer write. */
export const takeCheckpoint = async (
  store: DocumentStore,
  name: string,
  fence: number,
  formerName = name,
): Promise<Checkpoint> => {
  const stored = (await store.checkpoint(name)) ?? (await store.checkpoint(formerName));
  const checkpoint = { name, position: stored?.position ?? 0, fence, event: stored?.event };
  await store.write([], checkpoint);
  return checkpoint;
};

/** The end of the log, as a checkpoint names it. */
export const endOf = async (log: EventLog): Promise<Pick<Checkpoint, 'position' | 'event'>> => {
  const { reached, last } = await log.readLog({ after: await log.head(), types: new Set(), limit: 1 });
  return { position: reached, event: last };
};

/** The event of an unnamed checkpoint, if that is at the log's end. Otherwise the next page names one. */
const eventAt = async (log: EventLog, position: Position): Promise<EventInLog | undefined> => {
  if (position === 0) return undefined;
  const { last } = await log.readLog({ after: position, types: new Set(), limit: 1 });
  return last?.position === position ? last : undefined;
};

/** Names the events of a runner's checkpoints, page after page. */
export class CheckpointEvents {
  private page: Pick<LogPage, 'events' | 'last'> = { events: [] };

  constructor(private before: EventInLog | undefined) {}

  next(page: LogPage): void {
    this.before = this.upTo(Number.POSITIVE_INFINITY);
    this.page = page;
  }

  /** The last event up to the position that is known. */
  upTo(position: Position): EventInLog | undefined {
    const { events, last } = this.page;
    if (last !== undefined && last.position <= position) return last;
    return events.findLast((event) => event.position <= position) ?? this.before;
  }
}
