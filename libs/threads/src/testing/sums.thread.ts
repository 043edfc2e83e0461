import { commitGroups } from '../committing.js';

/** Adds to what it was given; a negative number ends it. */
commitGroups((sum: { value: number }) => {
  let { value } = sum;
  return {
    commit: (group: readonly number[]) =>
      group.map((by) => {
        if (by < 0) process.exit(1);
        value += by;
        return value;
      }),
    close: () => undefined,
  };
});
