import { Injectable } from '@nestjs/common';
import { type AgencyId, CommandRunner, type LoadedState, Repository } from '#kernel';
import { type AgencyEvent, type AgencyState, agencyDecider } from '../domain/agency.js';

export type LoadedAgency = LoadedState<AgencyState, AgencyId>;

@Injectable()
export class AgencyRepository extends Repository<AgencyState, AgencyEvent, AgencyId> {
  constructor(runner: CommandRunner) {
    super(agencyDecider, runner);
  }
}
