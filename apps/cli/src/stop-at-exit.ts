import type { SingleBar } from 'cli-progress';

/**
 * Stops the bar when the process exits, as after Ctrl-C: it has hidden the cursor and turned off line wrapping. Returns
 * what stops it before that.
 */
export const stopAtExit = (bar: Pick<SingleBar, 'stop'>): (() => void) => {
  const stop = () => bar.stop();
  process.once('exit', stop);
  return () => {
    process.off('exit', stop);
    stop();
  };
};
