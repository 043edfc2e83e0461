import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only what `scripts/build.mjs` has made has this folder: the image and the sources have none. */
const IN_USE = join(import.meta.dirname, '../../../in-use');

/** Leaves this process's number in its build, so that a later build does not remove what is still to be loaded from it. */
export const markBuildInUse = (): void => {
  try {
    writeFileSync(join(IN_USE, String(process.pid)), '');
  } catch {
    // Nobody removes a build that cannot be written to.
  }
};
