import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { BindAgency, type Binding, DescribeAgency, ListKeys, publicAgency, publicBinding } from '#agencies';
import { GetCapacity, type LeftOutKind, ListLeftOut, publicCapacity } from '#creators';
import { CountEventsByDay } from '#event-feed';
import { idParam, Optional, Text, UserIdText } from '#http';
import { Clock, parseUserId, type UserId } from '#kernel';
import { GetUsage, publicUsage, UsageOptions } from '#usage';
import { FirstDelivered, ListEndpoints } from '#webhooks';
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { ApiAddress } from '../api-address.js';
import { callSamples } from '../code-samples.js';
import { unlessRefused, unlessUnbound } from '../found-or.js';
import type { LeftOutAnswer, OverviewAnswer } from './answers.js';
import { checklistOf, revokedByBinding, stateOf } from './checklist.js';
import { warningsOf } from './warnings.js';

const DAYS = 30;
const MAX_ID_LENGTH = 200;

const LEFT_OUT: Readonly<Record<LeftOutKind, string>> = {
  creator: 'the creator on the roster',
  leak: 'the leak',
  impersonation: 'the impersonation',
};

class BindBody {
  /** The owner that the person has seen. */
  @UserIdText()
  owner_user_id!: UserId;
}

class LeftOutQuery {
  @Optional()
  @Text(MAX_ID_LENGTH)
  creator?: string;
}

@Controller('dashboard/api')
export class OverviewController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly usage: UsageOptions,
    private readonly api: ApiAddress,
    private readonly clock: Clock,
  ) {}

  /** Returns the agency's present state, from the read models and the platform. */
  @Read('overview')
  async show(@Visitor() { agencyId, workspaceId }: Visit): Promise<OverviewAnswer> {
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
      api_url: this.api.url,
      samples: callSamples(this.api.url),
    };
  }

  @Read('left-out')
  async leftOut(@Visitor() { agencyId }: Visit, @Query() { creator }: LeftOutQuery): Promise<LeftOutAnswer> {
    const creatorId = creator === undefined ? undefined : idParam('creator', creator);
    const { count, records } = await this.queries.execute(new ListLeftOut(agencyId, creatorId));
    const data = records.map(({ kind, creatorId: creator_id, id, reason, since }) => {
      const remedy = `The platform has to mend ${LEFT_OUT[kind]}: ${reason}.`;
      return { kind, creator_id, id, reason, since, remedy };
    });
    return { data, count };
  }

  /** Binds the agency to the owner that the person has seen; refused if the platform names another one by now. */
  @Post('binding')
  @HttpCode(200)
  @Rights('bind')
  async bind(@Visitor() { agencyId, context }: Visit, @Body() body: BindBody) {
    const seen = parseUserId(body.owner_user_id);
    return publicBinding(await this.commands.execute(new BindAgency(agencyId, context, seen)));
  }

  /** Null for an agency that was never bound, and while figures are missing (D67). */
  private async usageOf(binding: Binding | undefined) {
    if (binding === undefined) return null;
    const usage = await unlessRefused(this.queries.execute(new GetUsage(binding.workspaceId, undefined)));
    return usage && publicUsage(usage, this.usage.pricing, binding.boundAt);
  }
}
