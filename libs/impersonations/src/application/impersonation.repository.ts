import { Injectable } from '@nestjs/common';
import { CommandRunner, type ImpersonationId, Repository } from '#kernel';
import type { ImpersonationEvent } from '../domain/impersonation.events.js';
import { type ImpersonationState, impersonationDecider } from '../domain/impersonation.js';

@Injectable()
export class ImpersonationRepository extends Repository<ImpersonationState, ImpersonationEvent, ImpersonationId> {
  constructor(runner: CommandRunner) {
    super(impersonationDecider, runner);
  }
}
