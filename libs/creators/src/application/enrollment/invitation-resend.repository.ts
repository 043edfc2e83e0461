import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository } from '#kernel';
import type { InvitationResendEvent } from '../../domain/enrollment/invitation-resend.events.js';
import { type InvitationResend, invitationResendDecider } from '../../domain/enrollment/invitation-resend.js';

export type LoadedResend = LoadedState<InvitationResend>;

@Injectable()
export class InvitationResendRepository extends Repository<InvitationResend, InvitationResendEvent, string> {
  constructor(runner: CommandRunner) {
    super(invitationResendDecider, runner);
  }
}
