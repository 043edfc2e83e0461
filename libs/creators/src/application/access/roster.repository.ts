import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository, type WorkspaceId } from '#kernel';
import type { RosterEvent } from '../../domain/enrollment/roster.events.js';
import { type Roster, rosterDecider } from '../../domain/enrollment/roster.js';

export type LoadedRoster = LoadedState<Roster, WorkspaceId>;

@Injectable()
export class RosterRepository extends Repository<Roster, RosterEvent, WorkspaceId> {
  constructor(runner: CommandRunner) {
    super(rosterDecider, runner);
  }
}
