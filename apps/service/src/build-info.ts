import { readFileSync } from 'node:fs';

/** The package file of the build has the commit, see `scripts/build.mjs`; that of the sources has none. */
const PACKAGE = new URL('../../../package.json', import.meta.url);

const { version, commit = 'unknown' } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
  readonly version: string;
  readonly commit?: string;
};

/** Which code this process runs (D113). */
export const BUILD = { version, commit };

export const VERSION_LINE = `${version} (${commit})`;

/** Ends the process with its version, where that is all that was asked for. */
export const exitIfAskedForVersion = (): void => {
  if (!process.argv.includes('--version')) return;
  process.stdout.write(`${VERSION_LINE}\n`);
  process.exit(0);
};
