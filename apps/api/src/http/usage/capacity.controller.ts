import { Controller, Get, Query } from '@nestjs/common';
import { CreatorPlatform, type NativeCapacity } from '#creators';
import { Clock, type Instant } from '#kernel';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { NoQuery } from '../validation/page.query.js';

@Controller('v1/capacity')
export class CapacityController {
  constructor(
    private readonly platform: CreatorPlatform,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({
    summary: "A snapshot of the agency's slots; no reservation.",
    label: '0.8.0',
    scopes: ['usage:read'],
    answers: { 200: 'Capacity' },
  })
  async capacity(@Caller() { scope }: Access, @Query() _query: NoQuery) {
    return presentCapacity(await this.platform.getCapacity(scope.agencyId), this.clock.now());
  }
}

/** D55: a snapshot; what is occupied and reserved beyond the total overflows. */
const presentCapacity = (capacity: NativeCapacity, now: Instant) => {
  const { totalSlots, occupiedSlots, reservedSlots } = capacity;
  const taken = occupiedSlots + reservedSlots;
  return {
    plan: capacity.plan,
    subscription_status: capacity.subscriptionStatus,
    protection_eligible: capacity.protectionEligible,
    total_slots: totalSlots,
    occupied_slots: occupiedSlots,
    reserved_slots: reservedSlots,
    available_slots: Math.max(0, totalSlots - taken),
    overflow_slots: Math.max(0, taken - totalSlots),
    api_included: capacity.apiIncluded,
    checked_at: new Date(now).toISOString(),
    simulated: false,
  };
};
