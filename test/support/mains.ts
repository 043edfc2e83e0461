import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const OWN_BUILD = import.meta.filename.endsWith('.js') ? ROOT : resolve(ROOT, 'dist');

/** The build whose apps tests start: the one that this file is a part of, or the checkout's. `CRASH_DIST` names another. */
export const DIST = resolve(ROOT, process.env.CRASH_DIST ?? OWN_BUILD);

export type App = 'api' | 'worker' | 'standalone';
/** What comes to its end without being stopped: the tool, and what refuses to start. */
export type Errand = App | 'cli' | 'platform-sandbox' | 'demo' | 'demo-start';

/** The compiled file that starts the app. */
export const mainOf = (app: Errand): string =>
  resolve(DIST, 'apps', app.startsWith('demo') ? `standalone/src/${app}.js` : `${app}/src/main.js`);
