import { Writable } from 'node:stream';
import { createProgram } from '../../apps/cli/src/program.js';

export type Environment = Readonly<Record<string, string>>;

export interface Finished {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operators' tool as its main does, but in this process: a separate process takes longer to start than to run. */
export const runTool = async (words: readonly string[], environment: Environment): Promise<Finished> => {
  const [stdout, stderr] = [new CapturedOutput(), new CapturedOutput()];
  const status = await createProgram(environment, { stdout, stderr }).run(words);
  return { status, stdout: stdout.text, stderr: stderr.text };
};

class CapturedOutput extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}
