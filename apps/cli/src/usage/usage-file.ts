import { readFile } from 'node:fs/promises';
import type { UsageDocument } from '#audit';
import { DomainError, invalidRequest } from '#kernel';

/** Reads an explanation that was stored as JSON, or that of a statement. */
export const readUsageFile = async (path: string): Promise<UsageDocument> => {
  const value = explanationIn(await readJsonFile(path));
  if (!isUsageDocument(value)) throw invalidRequest({ field: path, message: 'is no explanation of usage' });
  return value;
};

export const readJsonFile = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new DomainError('invalid_request', { fields: [{ field: path, message: 'cannot be read' }], cause });
  });
  return parsed(text, path);
};

const explanationIn = (value: unknown): unknown => {
  const { statement } = membersOf(value);
  return membersOf(statement).explanation ?? value;
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const parsed = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest({ field: path, message: 'is not JSON' });
  }
};

const isUsageDocument = (value: unknown): value is UsageDocument => {
  const { kind, version, price, totals, creators } = membersOf(value);
  const isWhole = typeof price === 'object' && typeof totals === 'object' && Array.isArray(creators);
  return kind === 'usage_explanation' && version === 1 && isWhole;
};
