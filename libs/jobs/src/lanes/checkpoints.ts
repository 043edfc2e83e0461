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
import type { LaneDefinition, LogConsumer } from './log-consumer.js';

const FROM_THE_START: Pick<Checkpoint, 'position' | 'event'> = { position: 0 };

/** D92: compares checkpoints with the log, because a restored or copied store may be of another log, or newer than it. */
export class Checkpoints {
  constructor(
    private readonly store: DocumentStore,
    private readonly log: EventLog,
    private readonly logger: Logger = silentLogger,
    private readonly onRefused: (runner: string) => void = () => undefined,
  ) {}

  async isOfThisLog(lane: LaneDefinition): Promise<boolean> {
    const stored = await this.stored(lane);
    return stored === undefined || isOfLog(this.log, stored);
  }

  /** Fences the lane's checkpoint, so that a former leader can no longer write, and begins again if its documents are of another log. */
  async take(lane: LaneDefinition, fence: number): Promise<{ checkpoint: Checkpoint; hasBegunAgain: boolean }> {
    const { name, consumers } = lane;
    const stored = await this.stored(lane);
    const taken: Checkpoint = { name, position: stored?.position ?? 0, fence, event: stored?.event };
    await this.store.write([], taken);
    if (await isOfLog(this.log, taken)) {
      const event = taken.event ?? (await eventUpTo(this.log, taken.position));
      return { checkpoint: { ...taken, event }, hasBegunAgain: false };
    }
    this.logger.warn(
      { runner: name, position: taken.position, event: taken.event?.id },
      'the documents of the runner belong to another log, or are newer than this one; it starts over',
    );
    for (const consumer of consumers) this.onRefused(consumer.name);
    const beginnings = await Promise.all(consumers.map((each) => each.beginAgain?.(this.log, fence) ?? FROM_THE_START));
    const [first = FROM_THE_START] = beginnings.toSorted((one, other) => one.position - other.position);
    const checkpoint = { name, fence, position: first.position, event: first.event };
    await this.store.write([], checkpoint);
    return { checkpoint, hasBegunAgain: true };
  }

  private async stored({ name, consumers }: LaneDefinition): Promise<Checkpoint | undefined> {
    return (await this.store.checkpoint(name)) ?? this.ofOlderBuild(consumers);
  }

  /** In a folder of an older build each consumer had one: the lane starts at the lowest, the others are floors. */
  private async ofOlderBuild(consumers: readonly LogConsumer[]): Promise<Checkpoint | undefined> {
    const found = await Promise.all(
      consumers.map(async ({ name, formerName = name, readModels }) => {
        const stored = (await this.store.checkpoint(name)) ?? (await this.store.checkpoint(formerName));
        return stored === undefined ? [] : [{ stored, name, hasFloor: readModels === undefined }];
      }),
    );
    const all = found.flat();
    for (const { stored } of all) if (!(await isOfLog(this.log, stored))) return stored;
    const [lowest] = all.toSorted((one, other) => one.stored.position - other.stored.position);
    if (lowest === undefined) return undefined;
    const event = lowest.stored.event ?? (await eventUpTo(this.log, lowest.stored.position));
    const above = all.filter(({ stored, hasFloor }) => hasFloor && stored.position > lowest.stored.position);
    const floors = Object.fromEntries(above.map(({ name, stored }) => [name, stored.position]));
    return { ...lowest.stored, event: event && { ...event, ...(above.length > 0 && { floors }) } };
  }
}

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

/** Names the events of a lane's checkpoints, page after page. */
export class CheckpointEvents {
  private page: Pick<LogPage, 'events' | 'last'> = { events: [] };
  private floors: readonly (readonly [consumer: string, floor: Position])[];

  constructor(
    private before: CheckpointEvent | undefined,
    private readonly readModels: CheckpointEvent['readModels'],
  ) {
    this.floors = Object.entries(before?.floors ?? {});
  }

  next(page: LogPage): void {
    this.before = this.upTo(Number.POSITIVE_INFINITY);
    this.page = page;
  }

  /** The last event up to the position that is known. */
  upTo(position: Position): CheckpointEvent | undefined {
    const { events, last } = this.page;
    const isLast = last !== undefined && last.position <= position;
    const event = isLast ? last : (events.findLast((each) => each.position <= position) ?? this.before);
    this.floors = this.floors.filter(([, floor]) => floor > position);
    return (
      event && {
        ...eventInLog(event),
        ...(this.readModels && { readModels: this.readModels }),
        ...(this.floors.length > 0 && { floors: Object.fromEntries(this.floors) }),
      }
    );
  }
}
