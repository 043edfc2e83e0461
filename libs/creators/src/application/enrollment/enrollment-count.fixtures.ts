import type { CommandRunner } from '#kernel';
import { commandBusOf } from '../../../../testing/src/buses.js';
import { EnrollmentCount } from '../../processes/enrollment-count.js';
import { RosterRepository } from '../access/roster.repository.js';
import { CountEnrollmentHandler } from './count-enrollment.js';

/** The process, with the use cases that it executes. */
export const enrollmentCount = (runner: CommandRunner): EnrollmentCount => {
  const rosters = new RosterRepository(runner);
  return new EnrollmentCount(commandBusOf(new CountEnrollmentHandler(rosters)));
};
