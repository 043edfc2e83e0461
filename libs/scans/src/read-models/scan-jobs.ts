import type { ScanProvenance } from '#cases';
import { type CreatorId, type Document, projection, type ScanId } from '#kernel';
import type { ReadModel } from '#projections';
import type { ScanEvent } from '../domain/scan.events.js';

/** The scan of a job of the engine. The document's id is the job's. */
export interface ScanJobDocument extends Document {
  readonly scanId: ScanId;
  readonly creatorId: CreatorId;
}

const known = {
  documents: ({ data }: { data: { jobId: string } }) => data.jobId,
  fold: (_: unknown, { data }: { data: { jobId: string; scanId: ScanId; creatorId: CreatorId } }): ScanJobDocument => ({
    id: data.jobId,
    scanId: data.scanId,
    creatorId: data.creatorId,
  }),
};

export const scanJobsProjection = projection<ScanJobDocument, ScanEvent>({
  name: 'scan_jobs',
  version: 1,
  indexes: [],
  on: { 'scan.accepted.v1': known, 'scan.started.v1': known },
});

export class ScanJobs implements ScanProvenance {
  constructor(private readonly documents: ReadModel<ScanJobDocument>) {}

  async scansOf(jobIds: readonly string[]): Promise<ReadonlyMap<string, ScanJobDocument>> {
    return new Map((await this.documents.getMany(jobIds)).map((job) => [job.id, job]));
  }
}
