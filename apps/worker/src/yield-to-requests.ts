import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/**
 * Lowers the priority of this process, and of threads that start later: background work yields to requests if both
 * share the cores of a machine. A lower priority that an operator has set stays, because raising it needs privileges.
 */
export const yieldToRequests = (priority = { getPriority, setPriority }): void => {
  if (priority.getPriority() < PRIORITY_BELOW_NORMAL) priority.setPriority(PRIORITY_BELOW_NORMAL);
};
