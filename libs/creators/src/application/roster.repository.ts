import { type CommandRunner, type LoadedState, Repository, type WorkspaceId } from '#kernel';
import type { RosterEvent } from '../domain/enrollment/roster.events.js';
import { type Roster, rosterDecider } from '../domain/enrollment/roster.js';

export type LoadedRoster = LoadedState<Roster, WorkspaceId>;

export class RosterRepository extends Repository<Roster, RosterEvent, WorkspaceId> {
  constructor(runner: CommandRunner) {
    super(rosterDecider, runner);
  }
}
