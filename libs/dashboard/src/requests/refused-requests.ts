import { Injectable } from '@nestjs/common';
import { type AgencyId, DocumentStore } from '#kernel';
import { REFUSED_KEPT, REFUSED_REQUESTS, type RefusedBatch, type RefusedRequest } from './refused-request.js';

/** The latest refused or failed requests of an agency; those of the last second may be missing. */
@Injectable()
export class RefusedRequests {
  constructor(private readonly documents: DocumentStore) {}

  /** At most 1,000, the newest first. */
  async latest(agencyId: AgencyId): Promise<RefusedRequest[]> {
    const batches = await this.documents.find<RefusedBatch>(REFUSED_REQUESTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit: REFUSED_KEPT,
    });
    return batches
      .flatMap(({ requests }) => requests.toReversed())
      .sort((one, other) => other.at - one.at)
      .slice(0, REFUSED_KEPT);
  }
}
