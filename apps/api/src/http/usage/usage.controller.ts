import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Access, Caller, UsageQuery } from '#http';
import { GetUsage, parseMonth, publicUsage, UsageOptions } from '#usage';
import { Operation } from '../transport/operation.js';
import { GET_USAGE } from './usage.operations.js';

@Controller('v1/usage')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
  ) {}

  @Get()
  @Operation(GET_USAGE)
  async getUsage(@Caller() { agency: { binding } }: Access, @Query() { month }: UsageQuery) {
    const asked = month === undefined ? undefined : parseMonth(month);
    const usage = await this.queries.execute(new GetUsage(binding.workspaceId, asked));
    return publicUsage(usage, this.options.pricing, binding.boundAt);
  }
}
