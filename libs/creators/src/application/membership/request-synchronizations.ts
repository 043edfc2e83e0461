import { Injectable } from '@nestjs/common';
import { DueWork, JoinedRuns } from '#jobs';
import { Clock, type CommandContext, type CreatorId, type Position } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import { CASE_WALK } from './member-record-walks.js';
import type { Synchronized } from './record-synchronization.js';

interface Outcome {
  readonly synchronized: Synchronized;
  /** How far in the log all that was found has been recorded. */
  readonly position: Position;
}

/** Synchronizations within requests, which join each other; what its budget cuts short, the worker finishes (D80). */
@Injectable()
export class RequestSynchronizations {
  private readonly runs = new JoinedRuns<Outcome>();

  constructor(
    private readonly options: CreatorsOptions,
    private readonly dueWork: DueWork,
    private readonly clock: Clock,
  ) {}

  /** `synchronize` stops at the signal; what it records advances the consistency token of the context. */
  async run(
    kind: 'cases' | 'impersonations',
    creatorId: CreatorId,
    { consistencyToken }: CommandContext,
    synchronize: (signal: AbortSignal) => Promise<Synchronized>,
  ): Promise<Synchronized> {
    const work = async (signal: AbortSignal): Promise<Outcome> => {
      signal.addEventListener('abort', () => void this.leaveToWorker(creatorId), { once: true });
      const synchronized = await synchronize(signal);
      return { synchronized, position: consistencyToken.position };
    };
    const { synchronized, position } = await this.runs.run(`${kind}:${creatorId}`, this.options.providerTimeout, work);
    consistencyToken.advanceTo(position);
    return synchronized;
  }

  /** A worker that is not asked walks the creator at its next time. */
  private async leaveToWorker(creatorId: CreatorId): Promise<void> {
    await this.dueWork.expedite(CASE_WALK, creatorId, this.clock.now()).catch(() => undefined);
  }
}
