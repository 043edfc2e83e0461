import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse } from '@nestjs/swagger';
import { type LeftOutKind, ListLeftOut } from '#creators';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { LeftOutAnswer, LeftOutQuery } from './left-out.dto.js';

const RECORDS: Readonly<Record<LeftOutKind, string>> = {
  creator: 'the creator on the roster',
  leak: 'the leak',
  impersonation: 'the impersonation',
};

@Controller('dashboard/api/left-out')
export class LeftOutController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Rights('read')
  @ApiOkResponse({ type: LeftOutAnswer })
  async list(@Visitor() { agencyId }: Visit, @Query() { creator }: LeftOutQuery): Promise<LeftOutAnswer> {
    const creatorId = creator === undefined ? undefined : idParam('creator', creator);
    const { count, records } = await this.queries.execute(new ListLeftOut(agencyId, creatorId));
    const data = records.map(({ kind, creatorId: ofCreator, id, reason, since }) => ({
      kind,
      creator_id: ofCreator,
      id,
      reason,
      since,
      remedy: `The platform has to mend ${RECORDS[kind]}: ${reason}.`,
    }));
    return { data, count };
  }
}
