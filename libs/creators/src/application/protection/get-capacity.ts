import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, Clock } from '#kernel';
import { type Capacity, capacityAt } from '../../domain/protection/capacity.js';
import { CreatorPlatform } from '../access/creator-platform.js';

/** Asks the platform each time; nothing is kept of the answer (D55). */
export class GetCapacity extends Query<Capacity> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(GetCapacity)
export class GetCapacityHandler implements IQueryHandler<GetCapacity> {
  constructor(
    private readonly platform: CreatorPlatform,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId }: GetCapacity): Promise<Capacity> {
    return capacityAt(await this.platform.getCapacity(agencyId), this.clock.now());
  }
}
