import { Presets, SingleBar } from 'cli-progress';
import { SECOND } from '#kernel';
import type { OnProgress } from '#projections';
import { stopAtExit } from './stop-at-exit.js';

const STEPS = 1_000;

/** A bar with rate and time left on standard error, where that is a terminal; `stop` clears it away. */
export const progressBar = (): { readonly onProgress: OnProgress; stop(): void } => {
  if (!process.stderr.isTTY) return { onProgress: () => undefined, stop: () => undefined };
  const format = '{bar} {percentage}% | {events} events | {rate} a second | {left} left';
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true }, Presets.shades_classic);
  const began = performance.now();
  bar.start(STEPS, 0, { events: 0, rate: 0, left: '?' });
  return {
    onProgress: ({ events, share }) => {
      const elapsed = performance.now() - began;
      const left = share === 0 ? '?' : `${Math.ceil((elapsed * (1 - share)) / share / SECOND)} s`;
      bar.update(Math.floor(share * STEPS), { events, rate: Math.round((events * SECOND) / elapsed), left });
    },
    stop: stopAtExit(bar),
  };
};
