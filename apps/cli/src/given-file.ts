import { readFileSync } from 'node:fs';
import { DomainError, givenText, invalidRequest } from '#kernel';
import { reasonOf } from './output.js';

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
