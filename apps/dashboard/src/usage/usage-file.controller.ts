import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetBinding } from '#agencies';
import { csvRecord } from '#csv';
import { DomainError } from '#kernel';
import { ExplainMonth, parseMonth, shareOfAmount, UsageOptions } from '#usage';
import { UsageQuery } from '../../../api/src/http/usage/usage.query.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';

const BYTE_ORDER_MARK = '\ufeff';
const COLUMNS = ['creator_id', 'from', 'to', 'active_milliseconds', 'share_cents'];

/** The intervals of a month as a CSV file for a spreadsheet (D52); its milliseconds add up to the month's. */
@Controller('dashboard/api/usage/file')
export class UsageFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
  ) {}

  @Get()
  @Rights('read')
  async file(
    @Visitor() { agencyId }: Visit,
    @Query() { month: asked }: UsageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const account = await this.queries.execute(new GetBinding(agencyId));
    const month = asked === undefined ? undefined : parseMonth(asked);
    const { explanation } = await this.queries.execute(new ExplainMonth(account, month));
    // Too many intervals for one answer: the statement has them.
    if (explanation === null) throw new DomainError('payload_too_large');
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="usage-${explanation.month}.csv"`);
    const records = explanation.creators.flatMap(({ creatorId, intervals }) =>
      intervals.map(({ from, to, length }) =>
        csvRecord([
          creatorId,
          new Date(from).toISOString(),
          new Date(to).toISOString(),
          length,
          shareOfAmount(length, explanation.month, this.options.pricing),
        ]),
      ),
    );
    return [BYTE_ORDER_MARK, csvRecord(COLUMNS), ...records].join('');
  }
}
