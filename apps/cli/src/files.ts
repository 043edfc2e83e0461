import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, givenText, invalidRequest } from '#kernel';
import { codeOf, reasonOf } from './output.js';

/** The bytes of a file that a command names. Throws `invalid_request` with the file and the reason. */
export const readGivenFile = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `cannot be read: ${reasonOf(cause)}`;
    throw new DomainError('invalid_request', { fields: [{ field: path, message }], cause });
  }
};

export const readTextFile = (path: string): string => {
  const bytes = readGivenFile(path);
  try {
    return givenText(bytes);
  } catch (error) {
    throw invalidRequest({ field: path, message: reasonOf(error) });
  }
};

export const readJsonFile = (path: string): unknown => {
  const text = readTextFile(path);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest({ field: path, message: 'is not JSON' });
  }
};

/** Written completely or not at all, first under another name. Throws `invalid_request` with the reason. */
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

/** A link never replaces a file that somebody has created since. Some file systems have no links. */
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

const alreadyThere = (file: string): DomainError => invalidRequest({ field: file, message: 'already exists' });
