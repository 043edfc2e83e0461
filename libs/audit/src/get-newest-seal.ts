import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, notFound } from '#kernel';
import { endOfSeals, type Seal } from '#tamper-evidence';

/** The newest seal, in the form in which it is stored outside; `not_found` if nothing has been sealed. */
export class GetNewestSeal extends Query<Seal> {}

@QueryHandler(GetNewestSeal)
export class GetNewestSealHandler implements IQueryHandler<GetNewestSeal> {
  constructor(private readonly log: EventLog) {}

  execute(): Promise<Seal> {
    return newestSeal(this.log);
  }
}

export const newestSeal = async (log: EventLog): Promise<Seal> => {
  const { lastSeal } = await endOfSeals(log);
  if (lastSeal === undefined) throw notFound('log', 'has no seal');
  return withoutPrints(lastSeal.data);
};

/** A seal as it leaves the log. */
export const withoutPrints = ({ statement, signature }: Seal): Seal => ({ statement, signature });
