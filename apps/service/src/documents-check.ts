import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LANE_NAMES, LOG_RUNNERS } from '#contexts';
import { Checkpoints, Leases } from '#jobs';
import { type DocumentStore, type EventLog, MissingLog, SECOND, WORKER_LEASE } from '#kernel';
import { laneDefinitions, logConsumers } from './log-consumers.js';

const LEASE_TTL = 6 * SECOND;

/** D92: throws `MissingLog` if the log is empty and documents were built from one. */
export const requireLogOf = async (
  documents: Pick<DocumentStore, 'checkpoint'>,
  log: Pick<EventLog, 'head'>,
): Promise<void> => {
  if ((await log.head()) > 0) return;
  for (const runner of [...LANE_NAMES, ...LOG_RUNNERS]) {
    const { position = 0 } = (await documents.checkpoint(runner)) ?? {};
    if (position > 0) throw new MissingLog('the documents (documents.db, or the MongoDB) were built from a log');
  }
};

/**
 * D92: before anything is served or written, compares each lane's checkpoint with the log, and lets lanes whose
 * documents are of another log begin again. Later, each take-over compares again.
 */
@Injectable()
export class DocumentsCheck implements OnModuleInit {
  constructor(
    private readonly container: ModuleRef,
    private readonly checkpoints: Checkpoints,
    private readonly leases: Leases,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const lane of laneDefinitions(logConsumers(this.container))) {
      if (await this.checkpoints.isOfThisLog(lane)) continue;
      const lease = await this.leases.forceAcquire(WORKER_LEASE, LEASE_TTL);
      await this.leases.withRenewal(lease, LEASE_TTL, () => this.checkpoints.take(lane, lease.fence));
    }
  }
}
