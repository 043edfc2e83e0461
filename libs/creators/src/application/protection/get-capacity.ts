import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId, Instant } from '#kernel';
import type { NativeCapacity } from '../../domain/native-records.js';
import { CreatorPorts } from '../access/creator-ports.js';

interface Capacity extends NativeCapacity {
  readonly checkedAt: Instant;
}

/** Asks the platform each time; the answer is not stored (D55). */
export class GetCapacity extends Query<Capacity> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(GetCapacity)
export class GetCapacityHandler implements IQueryHandler<GetCapacity> {
  constructor(private readonly ports: CreatorPorts) {}

  async execute({ agencyId }: GetCapacity): Promise<Capacity> {
    const capacity = await this.ports.platform.getCapacity(agencyId);
    return { ...capacity, checkedAt: this.ports.clock.now() };
  }
}
