import { Injectable } from '@nestjs/common';
import { CommandRunner, type CreatorId, Repository } from '#kernel';
import { type UsageMeter, type UsageMeterEvent, usageMeterDecider } from '../domain/usage-meter.js';

@Injectable()
export class UsageMeterRepository extends Repository<UsageMeter, UsageMeterEvent, CreatorId> {
  constructor(runner: CommandRunner) {
    super(usageMeterDecider, runner);
  }
}
