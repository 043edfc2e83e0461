import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const OWN_BUILD = import.meta.filename.endsWith('.js') ? ROOT : resolve(ROOT, 'dist');

/**
 * The build whose apps tests start: the one that the run tests, or that this file is a part of, or the checkout's.
 * `CRASH_DIST` names another.
 */
export const DIST = resolve(ROOT, process.env.CRASH_DIST ?? process.env.TESTED_BUILD ?? OWN_BUILD);

export type App = 'api' | 'worker' | 'standalone';
/** Includes programs that end without being stopped: the tool, and any program that refuses to start. */
export type Errand = App | 'cli' | 'platform-sandbox' | 'demo' | 'demo-start';

/** The compiled file that starts the app. */
export const mainOf = (app: Errand): string =>
  compiled(app.startsWith('demo') ? `apps/standalone/src/${app}.js` : `apps/${app}/src/main.js`);

/** A file of the build, which is there when an editor runs a spec only if somebody has built it. */
export const compiled = (file: string): string => {
  const path = resolve(DIST, file);
  if (!existsSync(path))
    throw new Error(`This test starts processes of the build. Run \`npm run build\` first: no ${path}`);
  return path;
};
