import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetCapacity, publicCapacity } from '#creators';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';

@Controller('v1/capacity')
export class CapacityController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation({
    summary: "A snapshot of the agency's slots; no reservation.",
    reference: '0.8.0',
    scopes: ['usage:read'],
    answers: { 200: 'Capacity' },
  })
  async capacity(@Caller() { scope }: Access) {
    return publicCapacity(await this.queries.execute(new GetCapacity(scope.agencyId)));
  }
}
