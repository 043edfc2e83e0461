import { CommandRunner, LanePositions, newEventId } from '#kernel';
import { eventually, FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { Lane } from './lane.js';
import type { LaneDefinition } from './log-consumer.js';

export const LANE = 'witness';
export const TYPE = 'thing.happened.v1';
const METADATA = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };

export const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ n: from + n }));

/** One log, one store, and lanes over them, each as in a separate process. */
export class Lanes {
  readonly log = new InMemoryEventLog();
  readonly store = new InMemoryDocumentStore();
  private readonly running: Lane[] = [];
  private appended = 0;

  /** Events of one stream, which are numbered. */
  async append(count: number, type = TYPE, log = this.log): Promise<void> {
    for (let n = 0; n < count; n++) {
      const event = { id: newEventId(), type, data: { n: ++this.appended }, metadata: METADATA };
      await log.append('thing-1', 'any', [event]);
    }
  }

  lane(
    definition: Omit<LaneDefinition, 'name'>,
    fence = 1,
    { log = this.log, progress = new LanePositions(this.store), logger = new RecordingLogger() } = {},
  ) {
    const deadLetters = new DeadLetters(new CommandRunner(log, new FakeClock()));
    const runner = new Lane({ name: LANE, ...definition }, fence, log, this.store, progress, deadLetters, logger);
    this.running.push(runner);
    return { runner, progress, logger };
  }

  async checkpoint(): Promise<number> {
    return (await this.store.checkpoint(LANE))?.position ?? 0;
  }

  async caughtUp(log = this.log): Promise<void> {
    await eventually(async () => (await this.checkpoint()) === (await log.head()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((lane) => lane.stop()));
  }
}
