/** Those who wait to go on, the next one first. */
const waiting: (() => void)[] = [];
let isUnderWay = false;

/**
 * Resolves when the next part of long work may run, which a store in this process does without a break. One part runs at
 * a time, and after it everything else has as much time as it took (D109).
 */
export const nextPart = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (isUnderWay) return;
    isUnderWay = true;
    setImmediate(startNext);
  });

const startNext = (): void => {
  const start = waiting.shift();
  isUnderWay = start !== undefined;
  if (start === undefined) return;
  const began = performance.now();
  start();
  // The part has run when the event loop reaches this.
  setImmediate(() => setTimeout(startNext, performance.now() - began));
};
