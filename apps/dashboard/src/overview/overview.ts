import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Binding, DescribeAgency, ListKeys, publicAgency } from '#agencies';
import { GetCapacity, ListLeftOut, publicCapacity } from '#creators';
import { CountEventsByDay } from '#event-feed';
import { type AgencyId, Clock, type WorkspaceId } from '#kernel';
import { GetUsage, publicUsage, UsageOptions } from '#usage';
import { FirstDelivered, ListEndpoints } from '#webhooks';
import { unlessRefused, unlessUnbound } from '../found-or.js';
import { checklistOf, revokedByBinding, stateOf } from './checklist.js';
import { warningsOf } from './warnings.js';

const DAYS = 30;

/** Puts together what the contexts and the platform know of an agency at this moment. */
@Injectable()
export class Overview {
  constructor(
    private readonly queries: QueryBus,
    private readonly usage: UsageOptions,
    private readonly clock: Clock,
  ) {}

  async of(agencyId: AgencyId, workspaceId: WorkspaceId) {
    const description = await this.queries.execute(new DescribeAgency(agencyId));
    const { binding } = description;
    const [keys, endpoints, firstDeliveryAt, capacity, usage, events_by_day, leftOut] = await Promise.all([
      unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []),
      unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []),
      this.queries.execute(new FirstDelivered(agencyId)),
      unlessRefused(this.queries.execute(new GetCapacity(agencyId))),
      this.usageOf(binding),
      this.queries.execute(new CountEventsByDay(workspaceId, DAYS)),
      this.queries.execute(new ListLeftOut(agencyId)),
    ]);
    return {
      agency: publicAgency(description.native),
      binding: {
        state: stateOf(description),
        epoch: binding?.epoch ?? null,
        bound_at: binding?.boundAt ?? null,
        revokes: revokedByBinding({ keys, endpoints }),
      },
      checklist: checklistOf({ description, keys, endpoints, firstDeliveryAt }),
      capacity: capacity && publicCapacity(capacity),
      usage,
      events_by_day,
      warnings: warningsOf({ description, keys, endpoints, leftOut: leftOut.count }, this.clock.now()),
    };
  }

  /** Null for an agency that was never bound, and while figures are missing (D67). */
  private async usageOf(binding: Binding | undefined) {
    if (binding === undefined) return null;
    const usage = await unlessRefused(this.queries.execute(new GetUsage(binding.workspaceId, undefined)));
    return usage && publicUsage(usage, this.usage.pricing, binding.boundAt);
  }
}
