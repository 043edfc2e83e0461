import { Injectable } from '@nestjs/common';
import { CommandRunner, type CreatorId, type LoadedState, Repository } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator } from '../domain/creator.state.js';

export type LoadedCreator<State extends CreatorState = CreatorState> = LoadedState<State, CreatorId>;

/** A creator that was enrolled. */
export type FoundCreator = LoadedCreator<EnrolledCreator>;

@Injectable()
export class CreatorRepository extends Repository<CreatorState, CreatorEvent, CreatorId> {
  constructor(runner: CommandRunner) {
    super(creatorDecider, runner);
  }
}

export const isFound = (creator: LoadedCreator): creator is FoundCreator => creator.state.status === 'known';
