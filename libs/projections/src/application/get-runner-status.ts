import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, LanePositions, type Position } from '#kernel';
import { DeadLetterList } from '../dead-letters/dead-letter-list.js';

export interface RunnerStatus {
  /** Whether something is set aside, or a runner is behind and does not advance (D67, D68). */
  readonly isDegraded: boolean;
  readonly deadLetters: number;
  readonly runners: readonly {
    readonly name: string;
    /** Undefined for a runner that does not follow the log. */
    readonly lag: Position | undefined;
    readonly deadLetters: number;
  }[];
}

export class GetRunnerStatus extends Query<RunnerStatus> {
  constructor(
    readonly runners: readonly string[],
    readonly logRunners: readonly string[],
  ) {
    super();
  }
}

@QueryHandler(GetRunnerStatus)
export class GetRunnerStatusHandler implements IQueryHandler<GetRunnerStatus> {
  constructor(
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly list: DeadLetterList,
  ) {}

  async execute({ runners, logRunners }: GetRunnerStatus): Promise<RunnerStatus> {
    const { log, progress, list } = this;
    const lags = await progress.lags(logRunners, await log.head());
    const counts = await list.countByRunner();
    const deadLetters = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const isStalled = [...lags].some(([runner, lag]) => lag > 0 && progress.isStalled(runner));
    return {
      isDegraded: deadLetters > 0 || isStalled,
      deadLetters,
      runners: runners.map((name) => ({ name, lag: lags.get(name), deadLetters: counts.get(name) ?? 0 })),
    };
  }
}
