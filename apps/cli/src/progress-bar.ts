import { Presets, SingleBar } from 'cli-progress';
import { SECOND } from '#kernel';

interface Progress {
  readonly share: number;
  readonly events?: number;
}

const STEPS = 1_000;
const FORMAT = '{bar} {percentage}%{counted} | {left} left';

/** Runs the task with a progress bar on standard error if that is a terminal. The bar is cleared at the end. */
export const withProgressBar = async <Result>(
  task: (onProgress: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> => {
  const bar = new SingleBar({ format: FORMAT, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
  const began = performance.now();
  bar.start(STEPS, 0, { counted: '', left: '?' });
  // Also when the process exits, for example after Ctrl-C: the bar has hidden the cursor and turned off line wrapping.
  const stop = () => bar.stop();
  process.once('exit', stop);
  try {
    return await task(({ share, events }) => {
      const elapsed = performance.now() - began;
      const left = share === 0 ? '?' : `${Math.ceil((elapsed * (1 - share)) / share / SECOND)} s`;
      const rate = Math.round(((events ?? 0) * SECOND) / elapsed);
      const counted = events === undefined ? '' : ` | ${events} events | ${rate} a second`;
      bar.update(Math.floor(share * STEPS), { counted, left });
    });
  } finally {
    process.off('exit', stop);
    stop();
  }
};
