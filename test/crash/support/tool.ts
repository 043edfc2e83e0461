import { Writable } from 'node:stream';
import { createProgram } from '../../../apps/cli/src/program.js';
import type { Environment, Finished } from './processes.js';

/** Runs the tool as its main does, but within this process: most of what a process of its own takes is its start. */
export const runTool = async (words: readonly string[], environment: Environment): Promise<Finished> => {
  const [stdout, stderr] = [new Heard(), new Heard()];
  const status = await createProgram(environment, { stdout, stderr }).run(words);
  return { status, stdout: stdout.text, stderr: stderr.text };
};

class Heard extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}
