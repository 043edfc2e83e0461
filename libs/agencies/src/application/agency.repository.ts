import { Injectable } from '@nestjs/common';
import { type AgencyId, CommandRunner, Repository } from '#kernel';
import { type AgencyEvent, type AgencyState, agencyDecider } from '../domain/agency.js';

@Injectable()
export class AgencyRepository extends Repository<AgencyState, AgencyEvent, AgencyId> {
  constructor(runner: CommandRunner) {
    super(agencyDecider, runner);
  }
}
