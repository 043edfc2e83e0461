import type { CommandBus } from '@nestjs/cqrs';
import { dueContext } from '#jobs';
import { DAY, DomainError, type Instant, SECOND, streamName } from '#kernel';
import { aService, claimed, contextOf, type Service, scanId } from '../../../contexts/src/service.fixtures.js';
import {
  active,
  agency,
  mia,
  miaUser,
  native,
  paused,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { queueScan, scanDecider } from '../domain/scan.js';
import type { ScanJob } from '../domain/scan-job.js';
import { AdvanceScan } from './advance-scan.js';
import { scanCommands } from './scan-commands.fixtures.js';

export const POLL = 7 * SECOND;
export const TIMEOUT = 5 * SECOND;

/** A scan of an active creator that was queued, and that is advanced step by step. */
export class QueuedScan {
  private constructor(
    readonly service: Service,
    private readonly commands: CommandBus,
    readonly began: Instant,
  ) {}

  static async queue(): Promise<QueuedScan> {
    const service = await aService();
    const options = { pollEvery: POLL, providerTimeout: TIMEOUT, scheduleEvery: DAY };
    const commands = scanCommands(service, options);
    service.platform.users.set(miaUser, native());
    service.leaks.join(miaUser);
    await service.creatorDid(mia, ...active);
    const order = { scanId, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await service.runner.run(scanDecider, scanId, contextOf(), (scan) => queueScan(scan, order));
    return new QueuedScan(service, commands, service.clock.now());
  }

  step(id = scanId) {
    return this.commands.execute(new AdvanceScan(id, dueContext(claimed('scan', id))));
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
