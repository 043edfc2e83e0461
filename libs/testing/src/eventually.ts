import { setImmediate as turn } from 'node:timers/promises';

/** Turns the event loop until the condition holds; fails the test that waits in vain. */
export const eventually = async (holds: () => boolean | Promise<boolean>, within = 30_000): Promise<void> => {
  const deadline = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${holds.toString()}`);
    await turn();
  }
};

/** Lets everything run that waits for nothing from outside. */
export const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

/** How often the event loop turns until the work is done. */
export const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  let turns = 0;
  for (; !isDone; turns++) await turn();
  return turns - 1;
};

/** A promise that a test resolves when it sees fit. */
export class Gate {
  readonly opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}
