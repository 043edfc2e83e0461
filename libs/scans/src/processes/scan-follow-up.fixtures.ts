import { DAY, DomainError, type DueOutcome, type Instant, SECOND, streamName } from '#kernel';
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
import { commandBusOf } from '../../../testing/src/buses.js';
import { AdvanceScanHandler } from '../application/advance-scan.js';
import type { ScanJob } from '../application/ports.js';
import { ScanCompletion } from '../application/scan-completion.js';
import { queueScan, scanDecider } from '../domain/scan.js';
import type { ScansOptions } from '../scans.options.js';
import { ScanFollowUp } from './scan-follow-up.js';

export const POLL = 7 * SECOND;
export const TIMEOUT = 5 * SECOND;

/** The process, with the use case that it executes. */
export const scanFollowUp = (service: Service, options: ScansOptions): ScanFollowUp => {
  const { log, scanRepository, creators, access, engine, cases, clock } = service;
  const completion = new ScanCompletion(scanRepository, creators, cases);
  const advance = new AdvanceScanHandler(log, scanRepository, creators, access, engine, completion, clock, options);
  return new ScanFollowUp(commandBusOf(advance));
};

/** A scan of an active creator that was queued, and the process that takes it on step by step. */
export class QueuedScan {
  private constructor(
    readonly service: Service,
    readonly followUp: ScanFollowUp,
    readonly began: Instant,
  ) {}

  static async queue(): Promise<QueuedScan> {
    const service = await aService();
    const followUp = scanFollowUp(service, { pollEvery: POLL, providerTimeout: TIMEOUT, scheduleEvery: DAY });
    service.platform.users.set(miaUser, native());
    service.leaks.join(miaUser);
    await service.creatorDid(mia, ...active);
    const order = { scanId, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await service.runner.run(scanDecider, scanId, contextOf(), (scan) => queueScan(scan, order));
    return new QueuedScan(service, followUp, service.clock.now());
  }

  step(): Promise<DueOutcome> {
    return this.followUp.handle(claimed('scan', scanId));
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
