import { answerRequests } from '../serving.js';

/** Adds to what it was given; a negative number ends it. */
answerRequests((sum: { value: number }) => {
  let { value } = sum;
  return {
    answer(by: number): number {
      if (by < 0) throw new RangeError('a negative number');
      value += by;
      return value;
    },
    close: () => undefined,
  };
});
