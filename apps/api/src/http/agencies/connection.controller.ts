import { Controller, Get } from '@nestjs/common';
import { publicConnection } from '#agencies';
import { ScanEngine } from '#scans';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';

@Controller('v1/me')
export class ConnectionController {
  constructor(private readonly engine: ScanEngine) {}

  /** D14: any valid key may use it. */
  @Get()
  @Operation({
    summary: 'Whom the key belongs to, and what it may.',
    reference: '0.2.0',
    scopes: [],
    answers: { 200: 'Connection' },
  })
  connection(@Caller() { key, agency }: Access) {
    return publicConnection(key, agency, this.engine.configured);
  }
}
