import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { publicCreator, RemoveCreator, ResendInvitation } from '#creators';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';
import { idParam } from '../validation/id-param.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { EmptyBody } from '../validation/page.query.js';

/** Operations on a pending invitation. */
@Controller('v1/creators/:id')
export class InvitationsController {
  constructor(private readonly commands: CommandBus) {}

  @Delete()
  @Operation({
    summary: 'Cancels a pending invitation, or detaches a creator that accepted it and is not onboarded.',
    reference: '0.8.0',
    scopes: ['creators:write'],
    answers: { 200: 'Creator' },
    errors: [
      'not_found',
      'creator_rebinding_required',
      'creator_onboarding_completed',
      // It takes no body (D8), but a body is read before the request is refused (D1).
      'payload_too_large',
      'unsupported_media_type',
    ],
    id: 'crt',
  })
  async removeCreator(@Caller() { scope, context }: Access, @Param('id') id: string) {
    const command = new RemoveCreator(idParam('creator', id), scope, context);
    return publicCreator(await this.commands.execute(command));
  }

  @Post('resend-invitation')
  @HttpCode(200)
  @Operation({
    summary: 'Sends a pending or expired invitation again; the old link is invalid from then on.',
    reference: '0.8.0',
    scopes: ['creators:write'],
    answers: { 200: 'EnrolledCreator' },
    errors: [
      'not_found',
      'creator_rebinding_required',
      'creator_onboarding_completed',
      'capacity_reached',
      'idempotency_conflict',
    ],
    id: 'crt',
    needsIdempotencyKey: true,
    hasBody: true,
    examples: { 'nothing else is said': {} },
  })
  async resendInvitation(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body() _body: EmptyBody,
  ) {
    const command = new ResendInvitation(idParam('creator', id), scope, idempotencyKey, context);
    const { creator, emailSent } = await this.commands.execute(command);
    return { ...publicCreator(creator), email_sent: emailSent };
  }
}
