import { Injectable } from '@nestjs/common';
import { type CaseId, CommandRunner, type LoadedState, Repository } from '#kernel';
import type { CaseEvent } from '../domain/case.events.js';
import { type CaseState, caseDecider } from '../domain/case.js';

export type LoadedCase<State extends CaseState = CaseState> = LoadedState<State, CaseId>;

@Injectable()
export class CaseRepository extends Repository<CaseState, CaseEvent, CaseId> {
  constructor(runner: CommandRunner) {
    super(caseDecider, runner);
  }
}
