import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ActivateProtection,
  distinctAliases,
  type EnrolledCreator,
  fullPublicCreator,
  InviteCreator,
  LinkCreator,
  ObserveCreator,
  ObserveRoster,
  PauseProtection,
  publicCreator,
  UpdateCreator,
} from '#creators';
import { type Access, Caller, cursorParam, DEFAULT_PAGE_SIZE, idParam, PageQuery } from '#http';
import { Clock, DomainError, invalidRequest, parseUserId } from '#kernel';
import { Operation } from '../transport/operation.js';
import { EnrollCreatorBody, SetProtectionBody, UpdateCreatorBody } from './creators.dto.js';
import { ENROLL_CREATOR, GET_CREATOR, LIST_CREATORS, SET_PROTECTION, UPDATE_CREATOR } from './creators.operations.js';
import { enrollmentRequest, parseProfiles } from './enrollment-request.js';

@Controller('v1/creators')
export class CreatorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Operation(ENROLL_CREATOR)
  async enrollCreator(
    @Caller() { scope, context }: Access,
    @Body() body: EnrollCreatorBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const enrollment = enrollmentRequest(body, request.body);
    const { problems = [] } = enrollment;
    if (body.workspace_id !== scope.workspaceId) {
      throw problems.length > 0 ? invalidRequest(...problems) : new DomainError('not_found');
    }
    const { creator, isNew, emailSent } = await this.commands.execute(
      'userId' in enrollment
        ? new LinkCreator(scope, enrollment, context)
        : new InviteCreator(scope, enrollment, context),
    );
    reply.status(isNew ? 201 : 200);
    if (isNew) reply.header('location', `/v1/creators/${creator.creatorId}`);
    return isNew ? { ...publicCreator(creator), email_sent: emailSent } : publicCreator(creator);
  }

  @Get()
  @Operation(LIST_CREATORS)
  async listCreators(@Caller() { scope, context }: Access, @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery) {
    // D13: any user id is a valid cursor, also one that is not on the roster.
    const page = { limit, ...cursorParam(after, parseUserId) };
    const { creators, nextCursor } = await this.commands.execute(new ObserveRoster(scope, page, context));
    return {
      data: creators.map((creator) => this.present(creator)),
      next_cursor: nextCursor,
      simulated: false,
    };
  }

  @Get(':id')
  @Operation(GET_CREATOR)
  async getCreator(@Caller() { scope, context }: Access, @Param('id') id: string) {
    return this.present(await this.commands.execute(new ObserveCreator(idParam('creator', id), scope, context)));
  }

  @Patch(':id')
  @Operation(UPDATE_CREATOR)
  async updateCreator(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Body() { display_name, aliases, profile_urls }: UpdateCreatorBody,
  ) {
    const change = {
      ...(display_name !== undefined && { displayName: display_name }),
      ...(aliases !== undefined && { aliases: distinctAliases(aliases) }),
      ...(profile_urls !== undefined && { profiles: parseProfiles(profile_urls) }),
    };
    if (Object.keys(change).length === 0) throw invalidRequest({ field: 'body', message: 'must change something' });
    const command = new UpdateCreator(idParam('creator', id), scope, change, context);
    return this.present(await this.commands.execute(command));
  }

  @Put(':id/protection')
  @HttpCode(200)
  @Operation(SET_PROTECTION)
  async setProtection(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Body() { status }: SetProtectionBody,
  ) {
    const Change = status === 'active' ? ActivateProtection : PauseProtection;
    return publicCreator(await this.commands.execute(new Change(idParam('creator', id), scope, context)));
  }

  private present(creator: EnrolledCreator) {
    return fullPublicCreator(creator, this.clock.now());
  }
}
