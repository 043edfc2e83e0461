import { useSyncExternalStore } from 'react';
import { Signal } from '../api/client.js';

const STEP_MS = 10_000;
const now = new Signal(Date.now());
const step = (): void => now.set(Date.now());

let timer: ReturnType<typeof setInterval> | undefined;
let shown = 0;

const subscribe = (listener: () => void): (() => void) => {
  // Nobody has kept it up to date.
  if (shown === 0) step();
  timer ??= setInterval(step, STEP_MS);
  shown += 1;
  const stop = now.subscribe(listener);
  return () => {
    stop();
    shown -= 1;
    if (shown > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present time, which moves every ten seconds. All relative times on a page share one timer. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now.get());
