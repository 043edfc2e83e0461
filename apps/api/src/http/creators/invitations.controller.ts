import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { publicCreator, RemoveCreator, ResendInvitation } from '#creators';
import { type Access, Caller, EmptyBody, idParam } from '#http';
import { Operation } from '../transport/operation.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { REMOVE_CREATOR, RESEND_INVITATION } from './invitations.operations.js';

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
