import { readFileSync } from 'node:fs';

/** The package file of the build has the commit, see `scripts/build.mjs`; that of the sources has none. */
const PACKAGE = new URL('../../../package.json', import.meta.url);

const { version, commit = 'unknown' } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
  readonly version: string;
  readonly commit?: string;
};

/** Which code this process runs (D113). */
export const BUILD = { version, commit };
