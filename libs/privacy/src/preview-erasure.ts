import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CreatorErasure, type EnrolledCreator, isErased } from '#creators';
import { type CreatorId, EventLog } from '#kernel';
import { KeyRing } from '#personal-data';
import { type PersonalKeyStatus, personalKeyStatus } from './personal-key-status.js';
import { readableEvents } from './readable-events.js';

export interface ErasurePreview {
  readonly isErased: boolean;
  readonly personalKey: PersonalKeyStatus;
  readonly membership: EnrolledCreator['membership']['status'];
  readonly protection: EnrolledCreator['protection']['status'];
  /** How many events would become unreadable, for each category of stream. */
  readonly becomesUnreadable: Readonly<Record<string, number>>;
}

/** What an erasure would change. */
export class PreviewErasure extends Query<ErasurePreview> {
  constructor(readonly creatorId: CreatorId) {
    super();
  }
}

@QueryHandler(PreviewErasure)
export class PreviewErasureHandler implements IQueryHandler<PreviewErasure> {
  constructor(
    private readonly creators: CreatorErasure,
    private readonly log: EventLog,
    private readonly keys: KeyRing,
  ) {}

  async execute({ creatorId }: PreviewErasure): Promise<ErasurePreview> {
    const { state } = await this.creators.load(creatorId);
    return {
      isErased: isErased(state),
      personalKey: await personalKeyStatus(this.keys, creatorId),
      membership: state.membership.status,
      protection: state.protection.status,
      becomesUnreadable: await readableEvents(this.log, creatorId),
    };
  }
}
