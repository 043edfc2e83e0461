import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock, type CreatorId } from '#kernel';
import { type LeftOutDocument, type LeftOutRecord, LeftOutRecords, type WalkedList } from './left-out-records.js';

const MAX_SHOWN = 500;

type LeftOut = LeftOutRecord & Pick<WalkedList, 'kind' | 'creatorId'>;

export interface LeftOutLists {
  /** How many records there are in all. */
  readonly count: number;
  /** The first of each list, the newest first, and 500 at most. */
  readonly records: readonly LeftOut[];
}

/** The records of the platform that the latest complete walks left out (D65), of an agency or of one creator. */
export class ListLeftOut extends Query<LeftOutLists> {
  constructor(
    readonly agencyId: AgencyId,
    readonly creatorId?: CreatorId | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListLeftOut)
export class ListLeftOutHandler implements IQueryHandler<ListLeftOut> {
  constructor(
    private readonly leftOut: LeftOutRecords,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId, creatorId }: ListLeftOut): Promise<LeftOutLists> {
    let [count, records]: [number, LeftOut[]] = [0, []];
    for await (const list of this.leftOut.find(agencyId, creatorId, this.clock.now())) {
      count += list.count;
      records.push(...recordsIn(list));
      if (records.length >= 2 * MAX_SHOWN) records = newestOf(records);
    }
    return { count, records: newestOf(records) };
  }
}

const recordsIn = ({ kind, creatorId, records }: LeftOutDocument): LeftOut[] =>
  records.map((record) => ({ kind, creatorId, ...record }));

const newestOf = (records: readonly LeftOut[]): LeftOut[] =>
  records.toSorted((one, other) => other.since - one.since).slice(0, MAX_SHOWN);
