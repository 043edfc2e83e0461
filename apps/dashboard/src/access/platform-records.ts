import { Injectable } from '@nestjs/common';
import { AgencyDirectory } from '#agencies';
import type { PlatformAnswer } from '#dashboard';
import { type AgencyId, Logger } from '#kernel';

/** What the platform says of an agency at this moment, or that it cannot be asked. */
@Injectable()
export class PlatformRecords {
  constructor(
    private readonly directory: AgencyDirectory,
    private readonly logger: Logger,
  ) {}

  async ask(agencyId: AgencyId): Promise<PlatformAnswer> {
    try {
      return { native: await this.directory.getAgency(agencyId) };
    } catch (error) {
      this.logger.warn(
        { err: error, agency_id: agencyId },
        'could not ask for the owner; people have the rights of members',
      );
      return 'unavailable';
    }
  }
}
