import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { publicCreator, RemoveCreator, ResendInvitation } from '#creators';
import { type Access, Caller, EmptyBody, idParam } from '#http';
import { INVITED_CREATOR } from './resources.examples.js';
import { IdempotencyKey } from './transport/idempotency-key.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const REMOVE_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Cancels a pending invitation, or detaches a creator who has accepted it but is not onboarded.',
  description: `Pauses protection if it is active. The record stays readable and its \`external_id\` stays in use. An onboarded creator is
\`creator_onboarding_completed\`. A repeat answers the same.`,
  apiVersion: '0.8.0',
  scopes: ['creators:write'],
  answers: {
    200: answer('The creator after its removal.', 'Creator', { ...INVITED_CREATOR, enrollment_status: 'cancelled' }),
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_onboarding_completed',
    // It takes no body (D8), but a body is read before the request is refused (D1).
    'payload_too_large',
    'unsupported_media_type',
  ],
  id: 'creator',
};

const RESEND_INVITATION: OperationOptions = {
  tag: 'Creators',
  summary: 'Sends a pending or expired invitation again; the old link becomes invalid.',
  description: `The first resend may follow the invitation immediately; further ones at most once a minute and five times in 24 hours. A repeat
under the same key sends nothing. \`email_sent\` says whether the email provider accepted the message; do not send a series of new keys if that is
uncertain.`,
  apiVersion: '0.8.0',
  scopes: ['creators:write'],
  answers: {
    200: answer('The creator after the message was sent.', 'Creator', { ...INVITED_CREATOR, email_sent: true }),
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_onboarding_completed',
    'capacity_reached',
    'idempotency_conflict',
  ],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'no input': {} },
};

@Controller('v1/creators/:id')
export class InvitationsController {
  constructor(private readonly commands: CommandBus) {}

  @Delete()
  @Operation(REMOVE_CREATOR)
  async removeCreator(@Caller() { scope, context }: Access, @Param('id') id: string) {
    const command = new RemoveCreator(idParam('creator', id), scope, context);
    return publicCreator(await this.commands.execute(command));
  }

  @Post('resend-invitation')
  @HttpCode(200)
  @Operation(RESEND_INVITATION)
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
