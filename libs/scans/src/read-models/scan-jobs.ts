import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { FindScansOfJobs, type ScanOfJob } from '#cases';
import { type CreatorId, type Document, projection, type ScanId } from '#kernel';
import type { ReadModel } from '#projections';
import type { ScanEvent } from '../domain/scan.events.js';

export interface ScanJobDocument extends ScanOfJob, Document {}

const recordsJob = {
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
  on: { 'scan.accepted.v1': recordsJob, 'scan.started.v1': recordsJob },
});

@QueryHandler(FindScansOfJobs)
export class FindScansOfJobsHandler implements IQueryHandler<FindScansOfJobs> {
  constructor(private readonly documents: ReadModel<ScanJobDocument>) {}

  async execute({ jobIds }: FindScansOfJobs): Promise<ReadonlyMap<string, ScanJobDocument>> {
    return new Map((await this.documents.getMany(jobIds)).map((job) => [job.id, job]));
  }
}
