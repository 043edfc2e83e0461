import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isNativeError } from 'node:util/types';

/** More than any result with a secret needs. */
const RESERVED_BYTES = 4_096;

/** The result could not be written, for example to a full disk. */
export class OutputFailed extends Error {
  constructor(
    cause: unknown,
    private readonly hint = '',
  ) {
    super(`the output cannot be written: ${reasonOf(cause)}${hint}`, { cause });
    this.name = 'OutputFailed';
  }

  /** The reader has closed the pipe, such as `| head`, and nothing was lost that is shown only once. */
  get isEnough(): boolean {
    return codeOf(this.cause) === 'EPIPE' && this.hint === '';
  }

  /** A secret was created that nobody has seen; the command replaces or revokes it. */
  withRemedy(command: string): OutputFailed {
    return new OutputFailed(this.cause, `. Nobody has seen the new secret: run \`${command}\``);
  }
}

/** Ends when the stream has accepted the text. Rejects with `OutputFailed`. */
export const written = (out: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(new OutputFailed(error)) : resolve()));
  });

/** Throws `OutputFailed` if the output certainly accepts no result: a full disk, or a device that refuses all. */
export const checkOutput = (out: Writable): void => {
  const fd = 'fd' in out ? out.fd : undefined;
  if (typeof fd !== 'number') return;
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) {
      writeSync(fd, '');
      return;
    }
    writeSync(fd, ' '.repeat(RESERVED_BYTES), before.size);
    // Not if somebody else has appended to the file.
    if (fstatSync(fd).size === before.size + RESERVED_BYTES) ftruncateSync(fd, before.size);
  } catch (error) {
    throw new OutputFailed(error, '. Nothing was done');
  }
};

export const codeOf = (error: unknown): unknown => (isNativeError(error) && 'code' in error ? error.code : undefined);

/** The reason without the names of the call and the file, such as `ENOSPC: no space left on device`. */
export const reasonOf = (error: unknown): string =>
  isNativeError(error) ? error.message.replace(/,.*$/s, '') : String(error);
