import { userInfo } from 'node:os';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { LOG_RUNNERS } from '#contexts';
import { CallCounts, RefusedRequests } from '#dashboard';
import { awaitOlderBuilds, type LaneDefinition, Leader, Leases, type Term } from '#jobs';
import {
  type CommandContext,
  ConsistencyToken,
  DocumentStore,
  EventLog,
  LanePositions,
  MINUTE,
  newEventId,
  silentLogger,
} from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS, ReadModelTools } from '#projections';
import { lanesOf, logConsumers } from '../../service/src/log-consumers.js';

/** Commands of the tool are recorded with the operator's name. The workspace is that of what they change. */
export const operatorContext = (): CommandContext => ({
  actor: operatorActor(),
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});

/** D113: containers often run as a user id without a name, which the system then fails to look up. */
export const operatorActor = (lookUp: () => { readonly username: string } = userInfo): string =>
  `operator:${nameFrom(lookUp) || `uid-${process.geteuid?.()}`}`;

const nameFrom = (lookUp: () => { readonly username: string }): string | undefined => {
  try {
    return lookUp().username;
  } catch {
    return undefined;
  }
};

/** Leads if a command needs it and no worker leads, without tasks. Otherwise the worker that leads does the work. */
@Injectable()
export class ToolRunners {
  constructor(
    private readonly container: ModuleRef,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly leases: Leases,
    private readonly progress: LanePositions,
  ) {}

  /** Runs the task after the read models of agencies, or others that are named, have reached the head of the log. */
  withReadModels<Result>(task: () => Promise<Result>, names: readonly string[] = [READ_MODELS]): Promise<Result> {
    return this.leading(async () => {
      await this.reached(names);
      return task();
    });
  }

  /** The same for all read models, those of the dashboard too. */
  withAllReadModels<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.withReadModels(task, [READ_MODELS, DASHBOARD_READ_MODELS]);
  }

  /** Runs the task after all lanes have reached the log's head. `caughtUp` waits until they have done so again. */
  following<Result>(task: (caughtUp: () => Promise<void>) => Promise<Result>): Promise<Result> {
    // The read models last, because they show what the others have set aside.
    const caughtUp = async () => {
      await this.reached(LOG_RUNNERS);
      await this.reached([READ_MODELS]);
    };
    return this.leading(async () => {
      await caughtUp();
      return task(caughtUp);
    });
  }

  /** Runs a task that needs a leader only for read models. Nothing else that follows the log runs. */
  rebuilding<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.leading(task, ({ consumers }) => consumers.every(({ readModels }) => readModels !== undefined));
  }

  private async leading<Result>(task: () => Promise<Result>, runs = (_: LaneDefinition) => true): Promise<Result> {
    const leader = new Leader(this.leases, silentLogger);
    leader.start((term) => this.lead(term, runs));
    try {
      return await task();
    } finally {
      await leader.stop();
    }
  }

  private async lead({ fence, over }: Term, runs: (lane: LaneDefinition) => boolean): Promise<void> {
    await awaitOlderBuilds(LOG_RUNNERS, this.documents, this.leases, over);
    const lanes = lanesOf(this.container, logConsumers(this.container), fence, silentLogger, runs);
    for (const lane of lanes) lane.start();
    if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    await Promise.all(lanes.map((lane) => lane.stop()));
  }

  private async reached(names: readonly string[]): Promise<void> {
    await this.progress.waitForPosition(names, await this.log.head(), MINUTE);
  }
}

@Injectable()
export class Operator {
  constructor(
    readonly commands: CommandBus,
    readonly queries: QueryBus,
    readonly runners: ToolRunners,
    readonly readModels: ReadModelTools,
    readonly calls: CallCounts,
    readonly refused: RefusedRequests,
  ) {}
}
