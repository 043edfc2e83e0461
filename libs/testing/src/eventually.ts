import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

/** Factor for all timeouts: 1 on embedded stores of an idle machine. */
export const TIMEOUT_FACTOR = Number(process.env.E2E_TIMEOUT_FACTOR ?? 1);

interface WaitOptions {
  /** How long it may take, in milliseconds. */
  readonly within?: number;
  /** Runs between two polls; a short wait if omitted. */
  readonly betweenPolls?: () => Promise<unknown>;
}

/** Looks again until it throws nothing and does not return false, and returns what it does. */
export const eventually = async <Found>(
  look: () => Found | Promise<Found>,
  { within = 30_000 * TIMEOUT_FACTOR, betweenPolls = () => delay(1) }: WaitOptions = {},
): Promise<Found> => {
  const deadline = performance.now() + within;
  for (;;) {
    try {
      const found = await look();
      if (found !== false) return found;
      if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${look.toString()}`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await betweenPolls();
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
