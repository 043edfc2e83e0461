import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { BindAgency, type Binding, DescribeAgency, ListKeys, publicAgency, publicBinding } from '#agencies';
import { GetCapacity, type LeftOutKind, ListLeftOut, publicCapacity } from '#creators';
import { RefusedRequests } from '#dashboard';
import { CountEventsByDay } from '#event-feed';
import { idParam, Optional, Text, UserIdText } from '#http';
import { type AgencyId, Clock, DAY, parseUserId, type UserId } from '#kernel';
import { GetUsage, pricedFigures, publicUsage, UsageOptions } from '#usage';
import { ListEndpoints, SearchDeliveries } from '#webhooks';
import type { AttentionAnswer, LeftOutAnswer, OverviewAnswer } from '../../answers/overview.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read, Rights } from '../access/rights.js';
import { CodeSamples } from '../code-samples.js';
import { NO_DELIVERIES } from '../deliveries/deliveries.controller.js';
import { unlessRefused, unlessUnbound } from '../lists.js';
import { checklistOf, isFailing, revokedByBinding, stateOf, warningsOf } from './checklist.js';

const DAYS = 30;
const MAX_UNDELIVERED = 1_000;
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
    private readonly samples: CodeSamples,
    private readonly clock: Clock,
    private readonly refused: RefusedRequests,
  ) {}

  @Read('overview')
  async show(@CurrentUser() { agencyId, workspaceId }: DashboardSession): Promise<OverviewAnswer> {
    const description = await this.queries.execute(new DescribeAgency(agencyId));
    const { binding } = description;
    const [keys, endpoints, capacity, usage, events_by_day, leftOut, undelivered] = await Promise.all([
      unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []),
      unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []),
      unlessRefused(this.queries.execute(new GetCapacity(agencyId))),
      this.usageOf(binding),
      this.queries.execute(new CountEventsByDay(workspaceId, DAYS)),
      this.queries.execute(new ListLeftOut(agencyId)),
      this.undelivered(agencyId),
    ]);
    const setup = { description, keys, endpoints };
    return {
      agency: publicAgency(description.native),
      binding: {
        state: stateOf(description),
        epoch: binding?.epoch ?? null,
        bound_at: binding?.boundAt ?? null,
        revokes: revokedByBinding(setup),
      },
      checklist: checklistOf(setup),
      capacity: capacity && publicCapacity(capacity),
      usage,
      events_by_day,
      warnings: warningsOf(setup, leftOut.count, this.clock.now()),
      api_url: this.samples.apiUrl,
      samples: this.samples.firstCall(),
      undelivered,
    };
  }

  @Read('attention')
  async attention(@CurrentUser() { agencyId }: DashboardSession): Promise<AttentionAnswer> {
    const endpoints = await unlessRefused(unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []));
    const refused = await this.refused.countSince(agencyId, this.clock.now() - DAY);
    return { failing_endpoints: endpoints?.filter(isFailing).length ?? null, refused_requests: refused };
  }

  @Read('left-out')
  async leftOut(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() { creator }: LeftOutQuery,
  ): Promise<LeftOutAnswer> {
    const creatorId = creator === undefined ? undefined : idParam('creator', creator);
    const { count, records } = await this.queries.execute(new ListLeftOut(agencyId, creatorId));
    const data = records.map(({ kind, creatorId: creator_id, id, reason, since }) => {
      const remedy = `The platform has to correct ${LEFT_OUT[kind]}: ${reason}.`;
      return { kind, creator_id, id, reason, since, remedy };
    });
    return { data, count };
  }

  /** Binds the agency to the owner that the person has seen; refused if the platform now names another one. */
  @Post('binding')
  @HttpCode(200)
  @Rights('bind')
  async bind(@CurrentUser() { agencyId, context }: DashboardSession, @Body() body: BindBody) {
    const seen = parseUserId(body.owner_user_id);
    return publicBinding(await this.commands.execute(new BindAgency(agencyId, context, seen)));
  }

  /** Null for an agency that was never bound, and while figures are missing (D67). */
  private async usageOf(binding: Binding | undefined) {
    if (binding === undefined) return null;
    const usage = await unlessRefused(this.queries.execute(new GetUsage(binding.workspaceId, undefined)));
    if (usage === null) return null;
    const { pricing } = this.usage;
    const atEnd = pricedFigures({ ...usage, active: usage.activeAtEnd }, pricing, binding.boundAt);
    return { ...publicUsage(usage, pricing, binding.boundAt), projected_total_cents: atEnd.estimated_total_cents };
  }

  private async undelivered(agencyId: AgencyId): Promise<number | null> {
    const filter = { undelivered: true };
    const search = new SearchDeliveries(agencyId, filter, MAX_UNDELIVERED, undefined, MAX_UNDELIVERED);
    const found = await unlessRefused(unlessUnbound(this.queries.execute(search), NO_DELIVERIES));
    return found?.deliveries.length ?? null;
  }
}
