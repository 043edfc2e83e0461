import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LANE_NAMES, LOG_RUNNERS } from '#contexts';
import { Checkpoints } from '#jobs';
import { type DocumentStore, type EventLog, LiveCollections, MissingLog } from '#kernel';
import { StoredLiveCollections } from '#projections';
import { laneDefinitions, logConsumers } from './log-consumers.js';

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
 * D92: before anything is served, compares the checkpoints of the read models with the log. If they belong to another
 * log, lists are refused until a leader has started over: this process does not lead.
 */
@Injectable()
export class DocumentsCheck implements OnModuleInit {
  constructor(
    private readonly container: ModuleRef,
    private readonly checkpoints: Checkpoints,
    @Inject(LiveCollections) private readonly live: StoredLiveCollections,
  ) {}

  async onModuleInit(): Promise<void> {
    const lanes = laneDefinitions(logConsumers(this.container));
    const ofReadModels = lanes.filter(({ consumers }) => consumers.some(({ readModels }) => readModels !== undefined));
    await this.live.refuseUntil(async () => {
      const areOfThisLog = await Promise.all(ofReadModels.map((lane) => this.checkpoints.isOfThisLog(lane)));
      return areOfThisLog.every(Boolean);
    });
  }
}
