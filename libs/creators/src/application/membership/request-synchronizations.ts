import { Injectable } from '@nestjs/common';
import { DueWork, withinBudget } from '#jobs';
import { Clock, type CommandContext, type CreatorId, type Position } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { CASE_WALK } from './member-record-walks.js';
import type { Synchronized } from './record-synchronization.js';

interface Outcome {
  readonly synchronized: Synchronized;
  /** How far in the log all that was found has been recorded. */
  readonly position: Position;
}

interface Run {
  readonly signal: AbortSignal;
  /** The outcome, or `provider_timeout` when the budget is used up. */
  readonly answer: Promise<Outcome>;
  /** Resolves when nothing of it is under way any more. */
  readonly ended: Promise<unknown>;
}

/**
 * Synchronizations within requests: one at a time for each creator and kind in this process, which later requests join,
 * and within a budget, after which the request is `provider_timeout` and the worker finishes what is left (D80).
 */
@Injectable()
export class RequestSynchronizations {
  private readonly underWay = new Map<string, Run>();

  constructor(
    private readonly options: CreatorsOptions,
    private readonly dueWork: DueWork,
    private readonly clock: Clock,
  ) {}

  /** `synchronize` stops at the signal, which gives the reason; what it records advances the consistency token of the context. */
  async run(
    kind: 'cases' | 'impersonations',
    creatorId: CreatorId,
    context: CommandContext,
    synchronize: (signal: AbortSignal) => Promise<Synchronized>,
  ): Promise<Synchronized> {
    const key = `${kind}:${creatorId}`;
    const { synchronized, position } = await withinBudget(this.options.providerTimeout, async (signal) => {
      for (;;) {
        const run = this.underWay.get(key);
        if (run === undefined) return this.start(key, creatorId, context, signal, synchronize).answer;
        if (!run.signal.aborted) return run.answer;
        // Its budget is used up and it is about to end: a second one at the same time would only do the same again.
        await rejectedBy(signal, run.ended);
      }
    });
    context.consistencyToken.advanceTo(position);
    return synchronized;
  }

  private start(
    key: string,
    creatorId: CreatorId,
    { consistencyToken }: CommandContext,
    signal: AbortSignal,
    synchronize: (signal: AbortSignal) => Promise<Synchronized>,
  ): Run {
    const work = synchronize(signal).then((synchronized) => ({ synchronized, position: consistencyToken.position }));
    const ended = work.catch(() => undefined).finally(() => this.underWay.delete(key));
    signal.addEventListener('abort', () => void this.leaveToWorker(creatorId), { once: true });
    const run = { signal, answer: rejectedBy(signal, work), ended };
    this.underWay.set(key, run);
    return run;
  }

  /** A worker that is not asked walks the creator at its next time. */
  private async leaveToWorker(creatorId: CreatorId): Promise<void> {
    await this.dueWork.expedite(CASE_WALK, creatorId, this.clock.now()).catch(() => undefined);
  }
}

/** The task's outcome, or the signal's reason where that comes first. */
const rejectedBy = async <T>(signal: AbortSignal, task: Promise<T>): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
