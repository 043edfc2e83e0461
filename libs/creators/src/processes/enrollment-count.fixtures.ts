import type { CommandRunner } from '#kernel';
import { commandBusOf } from '../../../testing/src/buses.js';
import { CountEnrollmentAgainHandler } from '../application/count-enrollment-again.js';
import { ReleaseSeatHandler } from '../application/release-seat.js';
import { RosterRepository } from '../application/roster.repository.js';
import { EnrollmentCount } from './enrollment-count.js';

/** The process, with the use cases that it executes. */
export const enrollmentCount = (runner: CommandRunner): EnrollmentCount => {
  const rosters = new RosterRepository(runner);
  return new EnrollmentCount(commandBusOf(new ReleaseSeatHandler(rosters), new CountEnrollmentAgainHandler(rosters)));
};
