import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CreatorErasure, type EnrolledCreator } from '#creators';
import { Clock, type CreatorId, EventLog, type Instant, type RecordedEvent } from '#kernel';
import { eventsAbout, KeyRing } from '#personal-data';
import { type PersonalKeyStatus, personalKeyStatus } from './preview-erasure.js';

/** A document that leaves the service, with the names of the API; times in epoch milliseconds. */
export interface PersonalDataExport {
  readonly creator_id: CreatorId;
  readonly exported_at: Instant;
  readonly personal_key: PersonalKeyStatus;
  readonly creator: EnrolledCreator;
  readonly events: readonly ReturnType<typeof asExported>[];
}

export class ExportPersonalData extends Query<PersonalDataExport> {
  constructor(readonly creatorId: CreatorId) {
    super();
  }
}

@QueryHandler(ExportPersonalData)
export class ExportPersonalDataHandler implements IQueryHandler<ExportPersonalData> {
  constructor(
    private readonly creators: CreatorErasure,
    private readonly log: EventLog,
    private readonly keys: KeyRing,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId }: ExportPersonalData): Promise<PersonalDataExport> {
    const { state: creator } = await this.creators.load(creatorId);
    const events = [];
    for await (const event of eventsAbout(this.log, creatorId)) events.push(asExported(event));
    return {
      creator_id: creatorId,
      exported_at: this.clock.now(),
      personal_key: await personalKeyStatus(this.keys, creatorId),
      creator,
      events,
    };
  }
}

const asExported = ({ id, stream, revision, type, data, metadata: { at, actor, correlationId } }: RecordedEvent) => ({
  id,
  stream,
  revision,
  type,
  at,
  actor,
  request_id: correlationId,
  data,
});
