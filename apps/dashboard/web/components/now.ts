import { useSyncExternalStore } from 'react';

const STEP_MS = 10_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const tick = (): void => {
  now = Date.now();
  for (const each of listeners) each();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (timer === undefined) {
    // Nobody has kept it up to date.
    now = Date.now();
    timer = setInterval(tick, STEP_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present time, which moves every ten seconds. All relative times on a page share one timer. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
