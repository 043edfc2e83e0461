import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetCapacity, publicCapacity } from '#creators';
import { type Access, Caller, UsageQuery } from '#http';
import { SECOND } from '#kernel';
import { GetUsage, monthOf, parseMonth, publicUsage, UsageOptions } from '#usage';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const NOW = Date.UTC(2026, 10, 25, 9);
const USAGE = publicUsage(
  { month: monthOf(NOW), through: NOW, active: 1_296_000 * SECOND, creators: 1 },
  { perCreatorMonth: 2_900, minimumMonthly: 0, currency: 'EUR' },
  NOW,
);

const GET_USAGE: OperationOptions = {
  tag: 'Usage',
  summary: 'Active time of a UTC month, and its estimated price.',
  description:
    'Time counts while protection is active. The estimate is not an invoice; aliases and the number of requests do not affect it.',
  apiVersion: '0.2.0',
  scopes: ['usage:read'],
  answers: { 200: answer('The usage of the month.', 'Usage', USAGE) },
};

const CAPACITY: ReturnType<typeof publicCapacity> = {
  plan: 'agency_50',
  subscription_status: 'active',
  protection_eligible: true,
  total_slots: 50,
  occupied_slots: 12,
  reserved_slots: 2,
  available_slots: 36,
  overflow_slots: 0,
  api_included: true,
  checked_at: '2026-11-25T09:00:00.000Z',
  simulated: false,
};

const GET_CAPACITY: OperationOptions = {
  tag: 'Usage',
  summary: "A snapshot of the agency's slots, not a reservation.",
  description:
    'The slots are shared with the agency dashboard. Whether one is free is decided when protection is activated.',
  apiVersion: '0.8.0',
  scopes: ['usage:read'],
  answers: { 200: answer('The slots.', 'Capacity', CAPACITY) },
};

@Controller('v1')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
  ) {}

  @Get('usage')
  @Operation(GET_USAGE)
  async getUsage(@Caller() { agency: { binding } }: Access, @Query() { month }: UsageQuery) {
    const asked = month === undefined ? undefined : parseMonth(month);
    const usage = await this.queries.execute(new GetUsage(binding.workspaceId, asked));
    return publicUsage(usage, this.options.pricing, binding.boundAt);
  }

  @Get('capacity')
  @Operation(GET_CAPACITY)
  async getCapacity(@Caller() { scope }: Access) {
    return publicCapacity(await this.queries.execute(new GetCapacity(scope.agencyId)));
  }
}
