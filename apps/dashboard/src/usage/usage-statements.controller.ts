import type { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetBinding } from '#agencies';
import { Clock, DomainError, invalidRequest } from '#kernel';
import { monthOf, parseMonth, type ShownStatement, UsageStatements } from '#usage';
import { MonthText } from '../../../api/src/http/usage/usage.query.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { sentFile } from '../sent-file.js';
import type { UsageStatementAnswer, UsageStatementsAnswer } from './answers.js';

class StatementBody {
  @MonthText()
  month!: string;
}

/** Signed statements of a month. A worker makes them, because each reads the whole log. */
@Controller('dashboard/api/usage/statements')
export class UsageStatementsController {
  constructor(
    private readonly statements: UsageStatements,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Rights('read')
  async list(@Visitor() { agencyId }: Visit): Promise<UsageStatementsAnswer> {
    return { data: (await this.statements.ofAgency(agencyId)).map(answerOf) };
  }

  @Post()
  @HttpCode(202)
  @Rights('read')
  async request(
    @Visitor() { agencyId, context }: Visit,
    @Body() { month }: StatementBody,
  ): Promise<UsageStatementAnswer> {
    // D110: `not_found` for an unbound agency, whose statement would only fail.
    await this.queries.execute(new GetBinding(agencyId));
    // Months sort as text.
    if (month > monthOf(this.clock.now()))
      throw invalidRequest({ field: 'month', message: 'must not be in the future' });
    const requested = await this.statements.request(agencyId, month, context);
    if (requested === undefined) throw new DomainError('not_found');
    return answerOf(requested);
  }

  @Get(':month/file')
  @Rights('read')
  async file(
    @Visitor() { agencyId }: Visit,
    @Param('month') month: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const statement = parseMonth(month) && (await this.statements.find(agencyId, month));
    if (!statement || statement.parts === 0) throw new DomainError('not_found');
    reply.header('content-length', statement.bytes);
    return sentFile(reply, 'application/json', `usage-statement-${month}.json`, this.statements.text(statement));
  }
}

const answerOf = ({ month, state, share, requestedAt, bytes, expiresAt }: ShownStatement): UsageStatementAnswer => ({
  month,
  state,
  share,
  requested_at: requestedAt,
  size: bytes,
  expires_at: expiresAt,
});
