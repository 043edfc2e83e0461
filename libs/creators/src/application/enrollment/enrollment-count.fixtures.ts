import type { CommandRunner } from '#kernel';
import { commandBusOf } from '../../../../testing/src/buses.js';
import { EnrollmentCount } from '../../processes/enrollment-count.js';
import { RosterRepository } from '../access/roster.repository.js';
import { CountEnrollmentAgainHandler } from './count-enrollment-again.js';
import { ReleaseSeatHandler } from './release-seat.js';

/** The process, with the use cases that it executes. */
export const enrollmentCount = (runner: CommandRunner): EnrollmentCount => {
  const rosters = new RosterRepository(runner);
  return new EnrollmentCount(commandBusOf(new ReleaseSeatHandler(rosters), new CountEnrollmentAgainHandler(rosters)));
};
