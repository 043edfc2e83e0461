import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ListPaymentMethods, OpenBillingPage, publicPaymentMethods } from '#agencies';
import { GetCapacity } from '#creators';
import { Text } from '#http';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { DashboardAddress } from '../address.js';
import { unlessRefused } from '../found-or.js';
import type { BillingAnswer, BillingPageAnswer } from './answers.js';

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
  async show(@Visitor() { agencyId }: Visit): Promise<BillingAnswer> {
    const [methods, capacity] = await Promise.all([
      this.queries.execute(new ListPaymentMethods(agencyId)),
      unlessRefused(this.queries.execute(new GetCapacity(agencyId))),
    ]);
    return {
      ...publicPaymentMethods(methods),
      plan: capacity?.plan ?? null,
      subscription_status: capacity?.subscriptionStatus ?? null,
    };
  }

  /** The address that the platform leads back to is one of this dashboard's pages, regardless of what was sent. */
  @Post('session')
  @Rights('billing')
  async open(@Visitor() { agencyId }: Visit, @Body() body: OpenBillingBody): Promise<BillingPageAnswer> {
    const returnUrl = this.address.pageAt(body.return_path);
    const { url, expiresAt } = await this.commands.execute(new OpenBillingPage(agencyId, returnUrl));
    return { url, expires_at: expiresAt };
  }
}
