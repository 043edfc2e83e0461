import { Controller, Get, Param, Query } from '@nestjs/common';
import { type Access, Caller, DEFAULT_PAGE_SIZE, PageQuery } from '#http';
import { Operation } from '../transport/operation.js';
import { CasePages } from './case-pages.js';
import { LIST_CASES } from './cases.operations.js';

@Controller('v1/creators/:id/cases')
export class CasesController {
  constructor(private readonly pages: CasePages) {}

  @Get()
  @Operation(LIST_CASES)
  async listCases(
    @Caller() access: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ) {
    const { cases, nextCursor } = await this.pages.read(id, access, limit, after);
    return { data: cases, next_cursor: nextCursor, simulated: false };
  }
}
