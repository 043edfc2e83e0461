import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LOG_RUNNERS } from '#contexts';
import { Checkpoints, Leases, LogRunner, SetAsides } from '#jobs';
import { DocumentStore, EventLog, MINUTE, Progress, silentLogger } from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import { logConsumers } from '../../service/src/log-consumers.js';

/** Runs what follows the log while a command needs it, because no worker may be running. A running worker continues. */
@Injectable()
export class ToolRunners {
  constructor(
    private readonly container: ModuleRef,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly leases: Leases,
    private readonly progress: Progress,
    private readonly setAsides: SetAsides,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** Runs the task after the read models of agencies, or others that are named, have reached the head of the log. */
  withReadModels<Result>(task: () => Promise<Result>, names: readonly string[] = [READ_MODELS]): Promise<Result> {
    return this.running(names, async () => {
      await this.reached(names);
      return task();
    });
  }

  /** The same for all read models, those of the dashboard too. */
  withAllReadModels<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.withReadModels(task, [READ_MODELS, DASHBOARD_READ_MODELS]);
  }

  /** Runs the task after all runners have reached the log's head. `caughtUp` waits until they have done so again. */
  following<Result>(task: (caughtUp: () => Promise<void>) => Promise<Result>): Promise<Result> {
    // The read models last, because they show what the others have set aside.
    const caughtUp = async () => {
      await this.reached(LOG_RUNNERS);
      await this.reached([READ_MODELS]);
    };
    return this.running(LOG_RUNNERS, async () => {
      await caughtUp();
      return task(caughtUp);
    });
  }

  private async running<Result>(names: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const { log, documents, leases, progress, setAsides, checkpoints: own } = this;
    const runners = logConsumers(this.container)
      .filter(({ name }) => names.includes(name))
      .map((consumer) => new LogRunner(consumer, log, documents, leases, progress, setAsides, silentLogger, own));
    for (const runner of runners) runner.start();
    try {
      return await task();
    } finally {
      await Promise.all(runners.map((runner) => runner.stop()));
    }
  }

  private async reached(names: readonly string[]): Promise<void> {
    await this.progress.passed(names, await this.log.head(), MINUTE);
  }
}
