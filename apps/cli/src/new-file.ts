import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, invalidRequest } from '#kernel';
import { codeOf, reasonOf } from './output.js';

/** Complete or not at all: written under another name first. Throws `invalid_request` with what failed. */
export const writeNewFile = async (file: string, text: string): Promise<void> => {
  const draft = join(dirname(file), `.${randomUUID()}.draft`);
  try {
    // Before anything is written, and again with the link.
    if (existsSync(file)) throw alreadyThere(file);
    await writeDurably(draft, text);
    await nameIt(draft, file);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    const message = `cannot be written: ${reasonOf(cause)}`;
    throw new DomainError('invalid_request', { fields: [{ field: file, message }], cause });
  } finally {
    await rm(draft, { force: true });
  }
};

const writeDurably = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** A link replaces no file that somebody has made since. Some file systems have no links. */
const nameIt = async (draft: string, file: string): Promise<void> => {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(file);
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error;
    await rename(draft, file);
  }
};

const WITHOUT_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

const alreadyThere = (file: string): DomainError => invalidRequest({ field: file, message: 'is there already' });
