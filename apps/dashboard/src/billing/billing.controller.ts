import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ListPaymentMethods, OpenBillingPage, publicPaymentMethods } from '#agencies';
import { GetCapacity } from '#creators';
import { Text } from '#http';
import type { BillingAnswer, BillingPageAnswer } from '../../answers/billing.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Rights } from '../access/rights.js';
import { DashboardAddress } from '../address.js';
import { unlessRefused } from '../lists.js';

const MAX_PATH_LENGTH = 2_000;

class OpenBillingBody {
  /** The page of the dashboard that the platform's page leads back to. */
  @Text(MAX_PATH_LENGTH)
  return_path!: string;
}

@Controller('dashboard/api/billing')
export class BillingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly address: DashboardAddress,
  ) {}

  @Get()
  @Rights('billing')
  async show(@CurrentUser() { agencyId }: DashboardSession): Promise<BillingAnswer> {
    const [methods, capacity] = await Promise.all([
      this.queries.execute(new ListPaymentMethods(agencyId)),
      unlessRefused(this.queries.execute(new GetCapacity(agencyId))),
    ]);
    const { plan = null, subscriptionStatus = null } = capacity ?? {};
    return { ...publicPaymentMethods(methods), plan, subscription_status: subscriptionStatus };
  }

  /** The platform always leads back to a page of this dashboard. */
  @Post('session')
  @Rights('billing')
  async open(@CurrentUser() { agencyId }: DashboardSession, @Body() body: OpenBillingBody): Promise<BillingPageAnswer> {
    const returnUrl = this.address.pageAt(body.return_path);
    const { url, expiresAt } = await this.commands.execute(new OpenBillingPage(agencyId, returnUrl));
    return { url, expires_at: expiresAt };
  }
}
