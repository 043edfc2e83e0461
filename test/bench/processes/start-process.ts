import { join } from 'node:path';
import { type ChildProcess, startChildProcess } from '../../support/child-process.js';

/** Starts a module of this folder. It logs to a file in the directory: real logs on a real disk, but out of the way. */
export const startProcess = <Ready>(module: string, dir: string, settings: object): Promise<ChildProcess<Ready>> =>
  startChildProcess(join(import.meta.dirname, `${module}.js`), settings, join(dir, `${module}.log`));
