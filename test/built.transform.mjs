import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const load = createRequire(import.meta.url);

/** Where a source's built module is: in the build of this run, also when another one is made during it. */
const builtOf = (file) => join(process.env.TESTED_BUILD, relative(ROOT, file).replace(/\.ts$/, '.js'));

const standInFor = (file) => {
  const built = builtOf(file);
  return `export const { ${Object.keys(load(built)).join(', ')} } = loadBuilt(${JSON.stringify(built)});`;
};

/**
 * What the tests of the whole service import of it is what was built, outside of Jest's own module registry: loaded once
 * by each worker, and not again, with all its libraries, for each of the files that test it.
 */
export default {
  process: (_source, file) => ({ code: standInFor(file) }),
  getCacheKey: (_source, file) => standInFor(file),
};
