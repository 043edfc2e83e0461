import { Injectable } from '@nestjs/common';
import { Command } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  type Duration,
  EventLog,
  holds,
  type LoadedState,
} from '#kernel';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { CreatorRepository, RosterRepository } from './creator.repository.js';
import { CreatorPlatform } from './creator-platform.js';
import { Memberships } from './memberships.js';

/** The configuration of this context; durations in milliseconds. */
export abstract class CreatorsOptions {
  /** The longest time that one call of the platform takes. */
  abstract readonly providerTimeout: Duration;
  abstract readonly syncEvery: Duration;
  /** Receives the number of slots of unknown users, after each comparison of an agency's slots. Must not throw. */
  readonly onUnknownSlots?: (count: number) => void;
}

/** Everything that most use cases of this context read, write or call. */
@Injectable()
export class CreatorPorts {
  constructor(
    readonly repository: CreatorRepository,
    readonly rosters: RosterRepository,
    readonly platform: CreatorPlatform,
    readonly memberships: Memberships,
    readonly leases: Leases,
    readonly log: EventLog,
    readonly clock: Clock,
    readonly options: CreatorsOptions,
  ) {}
}

export type AgencyScope = Pick<EnrolledCreator, 'agencyId' | 'workspaceId' | 'epoch'>;

/** A request of an agency that concerns one of its creators; returns the creator as it is afterwards. */
export abstract class CreatorCommand extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

export type LoadedCreator<State extends CreatorState = CreatorState> = LoadedState<State, CreatorId>;

export type FoundCreator = LoadedCreator<EnrolledCreator>;

export const isFound = (creator: LoadedCreator): creator is FoundCreator => creator.state.status === 'known';

/** `not_found` for one that was never enrolled. */
export const enrolled = (creator: LoadedCreator): FoundCreator => {
  if (!isFound(creator)) throw new DomainError('not_found');
  return creator;
};

/** `not_found` for one that its agency cannot see (D9, D43). */
export const visible = (creator: LoadedCreator): FoundCreator => {
  if (!holds(creator, isAccessible)) throw new DomainError('not_found');
  return creator;
};
