import {
  type Checkpoint,
  type CheckpointEvent,
  type DocumentStore,
  type EventInLog,
  type EventLog,
  eventInLog,
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
      const event = taken.event ?? (await eventUpTo(this.log, taken.position));
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

/** An event for an unnamed checkpoint: the last one if the checkpoint is at the log's end, otherwise the first one. */
export const eventUpTo = async (log: EventLog, position: Position): Promise<EventInLog | undefined> => {
  if (position === 0) return undefined;
  const { last } = await log.readLog({ after: position, types: new Set(), limit: 1 });
  if (last?.position === position) return last;
  const { events } = await log.readLog({ after: 0, limit: 1 });
  return events.map(eventInLog)[0];
};

/** D112: whether the read model has followed the log to the checkpoint. An older build may have moved it without that. */
export const isKept = (
  checkpoint: Pick<Checkpoint, 'position' | 'event'> | undefined,
  { name, version }: { readonly name: string; readonly version: number },
): boolean => checkpoint === undefined || checkpoint.position === 0 || checkpoint.event?.readModels?.[name] === version;

/** Names the events of a runner's checkpoints, page after page. */
export class CheckpointEvents {
  private page: Pick<LogPage, 'events' | 'last'> = { events: [] };

  constructor(
    private before: CheckpointEvent | undefined,
    private readonly readModels: CheckpointEvent['readModels'],
  ) {}

  next(page: LogPage): void {
    this.before = this.upTo(Number.POSITIVE_INFINITY);
    this.page = page;
  }

  /** The last event up to the position that is known. */
  upTo(position: Position): CheckpointEvent | undefined {
    const { events, last } = this.page;
    const isLast = last !== undefined && last.position <= position;
    const event = isLast ? last : (events.findLast((each) => each.position <= position) ?? this.before);
    return event && { ...eventInLog(event), ...(this.readModels && { readModels: this.readModels }) };
  }
}
