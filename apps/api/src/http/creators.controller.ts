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
import {
  EnrollCreatorBody,
  enrollmentRequest,
  parseProfiles,
  SetProtectionBody,
  UpdateCreatorBody,
} from './enrollment-request.js';
import {
  ENROLLMENT_EXAMPLES,
  FULL_CREATOR,
  INVITED_CREATOR,
  LINKED_CREATOR,
  pageOf,
  UPDATE_EXAMPLES,
} from './resources.examples.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const ENROLL_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Links a platform user, or invites a new person; never activates protection.',
  description: `Give either \`svc_user_id\`, to link a user of the platform, or \`email\`, \`first_name\` and \`last_name\`, to invite a new person. Both or
neither is 400. An invitation sends a real email; \`email_sent\` says whether the email provider accepted it.

An identical repeat under the same \`external_id\` answers 200 with the creator as it is now, and invites nobody again. A changed body under the same
\`external_id\` is \`external_id_conflict\`. After a 502, 503, 504 or no answer, repeat the same request.

If the platform refuses the address, the answer is 400, and \`Location\` names the creator, whose enrollment has failed. The same body tries again, and
the answer is 201 if the platform then accepts it.`,
  apiVersion: '0.2.0',
  scopes: ['creators:write'],
  answers: {
    200: answer('The creator of an earlier identical enrollment.', 'Creator', LINKED_CREATOR),
    201: answer('The enrolled creator.', 'Creator', { ...INVITED_CREATOR, email_sent: true }),
  },
  errors: ['not_found', 'external_id_conflict', 'creator_invitation_pending', 'capacity_reached'],
  refusalHasLocation: true,
  examples: ENROLLMENT_EXAMPLES,
};

const LIST_CREATORS: OperationOptions = {
  tag: 'Creators',
  summary: "The agency's roster, ordered by native user id.",
  description: `Reads the platform's roster, and gives an API id to each member that has none yet. This activates and meters nothing. Creators
who were invited but are not onboarded are not on the roster; read them by their id.`,
  apiVersion: '0.2.0',
  scopes: ['creators:read'],
  answers: { 200: answer('A page of the roster.', 'CreatorPage', pageOf(FULL_CREATOR, FULL_CREATOR.svc_user_id)) },
};

const GET_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'One creator, refreshed from the platform.',
  description: 'Shows whether the creator is `eligible` now. Read it before you activate protection.',
  apiVersion: '0.2.0',
  scopes: ['creators:read'],
  answers: { 200: answer('The creator.', 'FullCreator', FULL_CREATOR) },
  errors: ['not_found'],
  id: 'creator',
};

const UPDATE_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Sets the name; adds aliases and profile URLs, but removes none.',
  description: `Send at least one field; omitted fields do not change. Values that the creator already has are not added again, so a repeat is
harmless. A creator has at most 300 aliases and 60 profile URLs.`,
  apiVersion: '0.2.0',
  scopes: ['creators:write'],
  answers: {
    200: answer('The creator after the change.', 'FullCreator', {
      ...FULL_CREATOR,
      display_name: 'Ivy Calloway-Reyes',
      aliases: ['ivycal', 'Ivy C', 'ivyreyes'],
    }),
  },
  errors: ['not_found', 'creator_rebinding_required', 'creator_invitation_pending'],
  id: 'creator',
  examples: UPDATE_EXAMPLES,
};

const SET_PROTECTION: OperationOptions = {
  tag: 'Creators',
  summary: 'Switches the API schedule, and with it the usage meter.',
  description: `\`active\` needs an eligible creator and a free slot; scans then follow the schedule, and time is metered. \`paused\` stops the schedule and
cancels queued scans; it neither cancels a subscription nor undoes dispatched work. A repeat changes nothing.`,
  apiVersion: '0.2.0',
  scopes: ['protection:write'],
  answers: {
    200: answer('The creator after the change.', 'Creator', { ...LINKED_CREATOR, protection_status: 'active' }),
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_invitation_pending',
    'creator_not_eligible',
    'capacity_reached',
  ],
  id: 'creator',
  examples: { 'protection on': { status: 'active' }, 'protection off': { status: 'paused' } },
};

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
    // D13: any user id is a valid cursor, even if it is not on the roster.
    const page = { limit, ...cursorParam(after, parseUserId) };
    const { creators, nextCursor } = await this.commands.execute(new ObserveRoster(scope, page, context));
    return { data: creators.map((creator) => this.present(creator)), next_cursor: nextCursor, simulated: false };
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
