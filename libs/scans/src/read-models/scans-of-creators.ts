import { BY_TIME, type DocumentByTime, documentByTime } from '#creators';
import { projection, type ScanId } from '#kernel';
import { DASHBOARD_READ_MODELS } from '#projections';
import type { ScanEvent } from '../domain/scan.events.js';

export type ScanOfCreator = DocumentByTime<ScanId>;

export const scansOfCreatorsProjection = projection<ScanOfCreator, ScanEvent>({
  name: 'scans_of_creators',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [BY_TIME],
  on: {
    'scan.queued.v1': {
      documents: ({ data }) => data.scanId,
      fold: (_, { data: { scanId, creatorId }, metadata }) => documentByTime(scanId, creatorId, metadata.at),
    },
  },
});
