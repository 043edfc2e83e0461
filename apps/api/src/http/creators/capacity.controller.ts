import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetCapacity, publicCapacity } from '#creators';
import { type Access, Caller } from '#http';
import { Operation } from '../transport/operation.js';
import { GET_CAPACITY } from './capacity.operations.js';

@Controller('v1/capacity')
export class CapacityController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation(GET_CAPACITY)
  async getCapacity(@Caller() { scope }: Access) {
    return publicCapacity(await this.queries.execute(new GetCapacity(scope.agencyId)));
  }
}
