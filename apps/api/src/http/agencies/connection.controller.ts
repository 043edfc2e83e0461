import { Controller, Get } from '@nestjs/common';
import { publicConnection } from '#agencies';
import { type Access, Caller } from '#http';
import { ScanEngine } from '#scans';
import { Operation } from '../transport/operation.js';
import { GET_CONNECTION } from './agencies.operations.js';

@Controller('v1/me')
export class ConnectionController {
  constructor(private readonly engine: ScanEngine) {}

  /** D14: any valid key may use it. */
  @Get()
  @Operation(GET_CONNECTION)
  getConnection(@Caller() { key, agency }: Access) {
    return publicConnection(key, agency, this.engine.configured);
  }
}
