import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm run build` makes of `apps/dashboard/web`. */
export interface PageFiles {
  readonly assets: string;
  /** Has `__CSP_NONCE__` wherever the nonce of an answer belongs, and `__SESSION__` where it says if the request had one. */
  readonly html: string;
}

/** Next to this file in a build; sources use the latest build. */
const FOLDERS = ['../../web', '../../../../dist/apps/dashboard/web'].map((path) => join(import.meta.dirname, path));

/** Undefined if no page was built. */
export const readPage = (): PageFiles | undefined => {
  const folder = FOLDERS.find((each) => existsSync(join(each, 'assets')));
  if (folder === undefined) return undefined;
  return { assets: join(folder, 'assets'), html: readFileSync(join(folder, 'index.html'), 'utf8') };
};
