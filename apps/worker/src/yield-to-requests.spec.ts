import { constants } from 'node:os';
import { expect, it } from '@jest/globals';
import { yieldToRequests } from './yield-to-requests.js';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW, PRIORITY_NORMAL } = constants.priority;

it.each([
  { before: PRIORITY_NORMAL, after: PRIORITY_BELOW_NORMAL },
  { before: PRIORITY_BELOW_NORMAL, after: PRIORITY_BELOW_NORMAL },
  { before: PRIORITY_LOW, after: PRIORITY_LOW },
])('a worker that starts with nice value $before runs with $after', ({ before, after }) => {
  let current = before;
  yieldToRequests({
    getPriority: () => current,
    setPriority: (pidOrPriority: number, priority?: number) => {
      const next = priority ?? pidOrPriority;
      if (next < current) throw new Error('EACCES');
      current = next;
    },
  });
  expect(current).toBe(after);
});
