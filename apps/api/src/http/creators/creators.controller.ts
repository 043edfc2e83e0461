import { Body, Controller, Get, HttpCode, Inject, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CreatorPage,
  distinctAliases,
  EnrollCreator,
  type Enrolled,
  type EnrolledCreator,
  fullPublicCreator,
  GetCreator,
  ListCreators,
  publicCreator,
  SetProtection,
  UpdateCreator,
} from '#creators';
import { DomainError, invalidRequest, parseUserId } from '#kernel';
import type { Services } from '../../../../composition/src/index.js';
import { SERVICES } from '../../tokens.js';
import { type Access, Caller, RequireScopes } from '../access.js';
import { idParam } from '../id-param.js';
import { DEFAULT_PAGE_SIZE, NoQuery, PageQuery } from '../validation/page.query.js';
import { EnrollCreatorBody, SetProtectionBody, UpdateCreatorBody } from './creators.dto.js';
import { enrollmentRequest, parseProfiles } from './enrollment-request.js';

@Controller('v1/creators')
export class CreatorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(SERVICES) private readonly services: Services,
  ) {}

  @Post()
  @RequireScopes('creators:write')
  async enroll(
    @Caller() { scope, context }: Access,
    @Body() body: EnrollCreatorBody,
    @Query() _query: NoQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const enrollment = enrollmentRequest(body, request.body);
    if (body.workspace_id !== scope.workspaceId) throw new DomainError('not_found');
    const { creator, isNew, emailSent } = await this.commands.execute<EnrollCreator, Enrolled>(
      new EnrollCreator(scope, enrollment, context),
    );
    reply.status(isNew ? 201 : 200);
    return isNew ? { ...publicCreator(creator), email_sent: emailSent } : publicCreator(creator);
  }

  @Get()
  @RequireScopes('creators:read')
  async list(@Caller() { scope, context }: Access, @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery) {
    const userId = after === undefined ? undefined : parseUserId(after);
    // D13: any UUID may be a cursor, and nothing else.
    if (after !== undefined && userId === undefined) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
    const page = { limit, ...(userId !== undefined && { after: userId }) };
    const { creators, nextCursor } = await this.queries.execute<ListCreators, CreatorPage>(
      new ListCreators(scope, page, context),
    );
    return {
      data: creators.map((creator) => this.present(creator)),
      next_cursor: nextCursor,
      simulated: false,
    };
  }

  @Get(':id')
  @RequireScopes('creators:read')
  async creator(@Caller() { scope, context }: Access, @Param('id') id: string, @Query() _query: NoQuery) {
    const query = new GetCreator(idParam('creator', id), scope, context);
    return this.present(await this.queries.execute<GetCreator, EnrolledCreator>(query));
  }

  @Patch(':id')
  @RequireScopes('creators:write')
  async update(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Body() { display_name, aliases, profile_urls }: UpdateCreatorBody,
    @Query() _query: NoQuery,
  ) {
    const change = {
      ...(display_name !== undefined && { displayName: display_name }),
      ...(aliases !== undefined && { aliases: distinctAliases(aliases) }),
      ...(profile_urls !== undefined && { profiles: parseProfiles(profile_urls) }),
    };
    if (Object.keys(change).length === 0) throw invalidRequest({ field: 'body', message: 'must change something' });
    const command = new UpdateCreator(idParam('creator', id), scope, change, context);
    return this.present(await this.commands.execute<UpdateCreator, EnrolledCreator>(command));
  }

  @Put(':id/protection')
  @HttpCode(200)
  @RequireScopes('protection:write')
  async setProtection(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Body() { status }: SetProtectionBody,
    @Query() _query: NoQuery,
  ) {
    const command = new SetProtection(idParam('creator', id), status, scope, context);
    return publicCreator(await this.commands.execute<SetProtection, EnrolledCreator>(command));
  }

  private present(creator: EnrolledCreator) {
    return fullPublicCreator(creator, this.services.clock.now());
  }
}
