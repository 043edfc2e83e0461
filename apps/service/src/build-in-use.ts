import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only the output of `scripts/build.mjs` has this folder: the image and the sources have none. */
const IN_USE = join(import.meta.dirname, '../../../in-use');

/** Writes this process's id into its build, so that a later build does not delete files that are still to be loaded. */
export const markBuildInUse = (): void => {
  try {
    writeFileSync(join(IN_USE, String(process.pid)), '');
  } catch {
    // A build that cannot be written to is not deleted either.
  }
};
