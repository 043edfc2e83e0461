import { setTimeout as delay } from 'node:timers/promises';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { CreatorProtection } from '#client';
import { LOG_RUNNERS } from '#contexts';
import type { TaskQueue } from '#jobs';
import {
  type CommandContext,
  ConsistencyToken,
  DAY,
  type Duration,
  EventLog,
  HOUR,
  LanePositions,
  MINUTE,
  newEventId,
  SECOND,
} from '#kernel';
import { type Setup, setupOf } from '../../service/src/run.js';
import { Worker } from '../../worker/src/worker.js';
import type { DemoClock } from './demo-clock.js';
import { createStandalone } from './standalone.js';

/** Long enough for a scan that began to be found completed. */
const SCAN = 8 * SECOND;

export const contextOf = (actor: string): CommandContext => ({
  actor,
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});

/** The service at earlier times, which are given as how long before the present they are. */
export class DemoPast {
  private constructor(
    private readonly clock: DemoClock,
    private readonly commands: CommandBus,
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly tasks: TaskQueue,
    private readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open({ config, logger }: Setup, clock: DemoClock): Promise<DemoPast> {
    // The platform is read less often than otherwise, because a month of that would take minutes.
    const past = { ...config, creatorSyncEvery: HOUR, caseSyncEvery: 10 * DAY, rateLimitPerMinute: 0 };
    const { listen } = await createStandalone(setupOf(past, logger, clock));
    const { app, url, stop } = await listen({ host: '127.0.0.1', port: 0 });
    const [commands, log, progress] = [app.get(CommandBus), app.get(EventLog), app.get(LanePositions)];
    return new DemoPast(clock, commands, log, progress, app.get(Worker, { strict: false }).tasks, url, stop);
  }

  /** Lets time pass until then. */
  async reach(behind: Duration): Promise<void> {
    await this.settled();
    for (const next of [this.clock.behind - SCAN, behind]) {
      this.clock.behind = Math.max(behind, next);
      await this.settled();
    }
  }

  execute<Result>(command: Command<Result>): Promise<Result> {
    return this.commands.execute(command);
  }

  clientWith(apiKey: string): CreatorProtection {
    return new CreatorProtection({ baseUrl: this.url, apiKey });
  }

  /** Any answer will do. */
  async send(apiKey: string, method: string, path: string, body?: object): Promise<void> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${this.url}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
  }

  /** All that is due has been done, and all that follows from it is shown. */
  private async settled(): Promise<void> {
    const { log, progress, tasks } = this;
    for (let head = -1; head !== (await log.head()); ) {
      head = await log.head();
      await progress.waitForPosition(LOG_RUNNERS, head, MINUTE);
      const { polls } = tasks.activity;
      // The poll that is under way may have begun before the clock was set, which wakes nobody; the end of a task does.
      while (tasks.activity.isBusy || tasks.activity.polls < polls + 2) {
        if (!tasks.activity.isBusy) tasks.notify();
        await delay(2);
      }
    }
  }
}
