import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, LanePositions, type Position } from '#kernel';
import { SetAsideList } from '../set-asides/set-aside-list.js';

export interface RunnerStatus {
  /** Whether something is set aside, or a runner is behind and does not advance (D67, D68). */
  readonly isDegraded: boolean;
  readonly setAside: number;
  readonly runners: readonly {
    readonly name: string;
    /** Undefined for a runner that does not follow the log. */
    readonly lag: Position | undefined;
    readonly setAside: number;
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
    private readonly setAsides: SetAsideList,
  ) {}

  async execute({ runners, logRunners }: GetRunnerStatus): Promise<RunnerStatus> {
    const { log, progress, setAsides } = this;
    const lags = await progress.lags(logRunners, await log.head());
    const counts = await setAsides.countByRunner();
    const setAside = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const isStalled = [...lags].some(([runner, lag]) => lag > 0 && progress.isStalled(runner));
    return {
      isDegraded: setAside > 0 || isStalled,
      setAside,
      runners: runners.map((name) => ({ name, lag: lags.get(name), setAside: counts.get(name) ?? 0 })),
    };
  }
}
