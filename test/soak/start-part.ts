import { join } from 'node:path';
import { type ChildProcess, startChildProcess } from '../support/child-process.js';

/** Starts a part of the soak, by its folder. */
export const startPart = <Ready>(name: string, settings: object): Promise<ChildProcess<Ready>> =>
  startChildProcess(join(import.meta.dirname, name, 'main.js'), settings);
