import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CreatorErasure, type EnrolledCreator, isErased } from '#creators';
import { type CreatorId, categoryOf, ERASED, EventLog } from '#kernel';
import { eventsAbout, KeyRing } from '#personal-data';

/** How many events about a creator have personal data that can be read, for each category of stream. */
export const readableEvents = async (
  log: EventLog,
  creatorId: CreatorId,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for await (const { stream, data } of eventsAbout(log, creatorId)) {
    const category = categoryOf(stream);
    if ('personal' in data && isReadable(data.personal)) counts[category] = (counts[category] ?? 0) + 1;
  }
  return counts;
};

const isReadable = (personal: unknown): boolean => {
  if (typeof personal === 'string') return personal !== ERASED;
  return typeof personal === 'object' && personal !== null && Object.values(personal).some(isReadable);
};

export type PersonalKeyStatus = 'none' | 'destroyed' | 'kept';

export const personalKeyStatus = async (keys: KeyRing, creatorId: CreatorId): Promise<PersonalKeyStatus> => {
  const [key] = (await keys.keysOf([creatorId])).values();
  if (key === undefined) return 'none';
  return key === null ? 'destroyed' : 'kept';
};

export interface ErasurePreview {
  readonly isErased: boolean;
  readonly personalKey: PersonalKeyStatus;
  readonly membership: EnrolledCreator['membership']['status'];
  readonly protection: EnrolledCreator['protection']['status'];
  readonly becomesUnreadable: Readonly<Record<string, number>>;
}

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
