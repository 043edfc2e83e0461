import { taskContext } from '#jobs';
import { DAY, DomainError, derivedId, type Instant, SECOND, streamName } from '#kernel';
import {
  active,
  agency,
  mia,
  miaUser,
  native,
  paused,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { claimed, contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { ScanJob } from '../domain/scan.events.js';
import { queueScan, scanDecider } from '../domain/scan.js';
import { ScansModule } from '../scans.module.js';
import { AdvanceScan } from './advance-scan.js';
import { ScansOptions } from './ports.js';

export const scanId = derivedId('scan', 'one');
export const POLL = 7 * SECOND;
export const TIMEOUT = 5 * SECOND;

/** A scan of an active creator that was queued, and that is advanced step by step. */
export class QueuedScan {
  private constructor(
    readonly service: TestedContext,
    readonly began: Instant,
  ) {}

  static async queue(): Promise<QueuedScan> {
    const options = given(ScansOptions, { pollEvery: POLL, providerTimeout: TIMEOUT, scheduleEvery: DAY });
    const service = await testedContext([ScansModule], [options]);
    service.platform.users.set(miaUser, native());
    service.leaks.join(miaUser);
    await service.creatorDid(mia, ...active);
    const order = { scanId, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await service.runner.run(scanDecider, scanId, contextOf(), (scan) => queueScan(scan, order));
    return new QueuedScan(service, service.clock.now());
  }

  step(id = scanId) {
    return this.service.commands.execute(new AdvanceScan(id, taskContext(claimed('scan', id))));
  }

  /** The code of the error that the step ends with. */
  async failedStep(): Promise<string> {
    const error = await this.step().catch((failure: unknown) => failure);
    return error instanceof DomainError ? error.code : `no refusal: ${String(error)}`;
  }

  async state() {
    return (await this.service.runner.load(scanDecider, scanId)).state;
  }

  /** The types of its events, without category and version. */
  async history(): Promise<string[]> {
    const types = await this.service.typesOf(streamName('scan', scanId));
    return types.map((type) => type.replace(/^scan\.|\.v1$/g, ''));
  }

  engineSays(change: Partial<ScanJob>): void {
    this.service.engine.progress(scanId, change);
  }

  async inUncertainty(): Promise<void> {
    this.service.engine.failNext({ outcome: 'lost', arrived: false });
    await this.failedStep();
    this.service.clock.advance(2 * TIMEOUT);
  }

  pause(): Promise<void> {
    return this.service.creatorDid(mia, paused);
  }
}
