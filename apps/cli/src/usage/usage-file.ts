import { readFile } from 'node:fs/promises';
import type { UsageDocument } from '#auditing';
import { DomainError, invalidRequest } from '#kernel';

/** Reads an explanation that was kept as JSON. */
export const readUsageFile = async (path: string): Promise<UsageDocument> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new DomainError('invalid_request', { fields: [{ field: path, message: 'can not be read' }], cause });
  });
  const value = parsed(text, path);
  if (!isUsageDocument(value)) throw invalidRequest({ field: path, message: 'is no explanation of usage' });
  return value;
};

const parsed = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest({ field: path, message: 'is not JSON' });
  }
};

const isUsageDocument = (value: unknown): value is UsageDocument =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'usage_explanation' &&
  'version' in value &&
  value.version === 1;
