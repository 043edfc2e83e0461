import { Injectable } from '@nestjs/common';
import { CommandRunner, type CreatorId, Repository } from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { creatorDecider } from '../../domain/creator.js';
import type { CreatorState } from '../../domain/creator.state.js';

@Injectable()
export class CreatorRepository extends Repository<CreatorState, CreatorEvent, CreatorId> {
  constructor(runner: CommandRunner) {
    super(creatorDecider, runner);
  }
}
