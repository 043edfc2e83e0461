import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package file of the build has the commit, see `scripts/build.mjs`; that of the sources has none. */
const PACKAGE = new URL('../../../package.json', import.meta.url);

const { version, commit = 'unknown' } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
  readonly version: string;
  readonly commit?: string;
};

/** Which code this process runs (D113). */
export const BUILD = { version, commit };

export const VERSION_LINE = `${version} (${commit})`;

/** Prints the version and ends the process, if only that was requested. */
export const exitIfAskedForVersion = (): void => {
  if (!process.argv.includes('--version')) return;
  process.stdout.write(`${VERSION_LINE}\n`);
  process.exit(0);
};

/** Only the output of `scripts/build.mjs` has this folder: the image and the sources do not. */
const IN_USE = join(import.meta.dirname, '../../../in-use');

/** Writes this process's id into its build, so that a later build does not delete files that are still to be loaded. */
export const markBuildInUse = (): void => {
  try {
    writeFileSync(join(IN_USE, String(process.pid)), '');
  } catch {
    // A build that cannot be written to is not deleted either.
  }
};

/** These signals stop a process in an orderly way; the last one arrives when its terminal is closed (D113). */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

// Without a listener, Node opens an inspector, through which any program of this user can run code in the process.
process.on('SIGUSR1', () => undefined);

/** Starts the process's work. Reports a failure in one line, which names the variable of a port that is in use. */
export const startOrExit = async <Started>(
  start: () => Promise<Started>,
  ports: Readonly<Record<string, number | undefined>>,
): Promise<Started> => {
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`Could not start: ${reasonOf(error, ports)}\n`);
    process.exit(1);
  }
};

const reasonOf = (error: unknown, ports: Readonly<Record<string, number | undefined>>): string => {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return error.message;
  const { port } = error;
  const [variable = 'PORT'] = Object.keys(ports).filter((name) => ports[name] === port);
  return `port ${port} is in use by another program (EADDRINUSE). Stop it, or set ${variable} to a free port.`;
};
