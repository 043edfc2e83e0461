import type { UsageDocument } from '#audit';
import { invalidRequest } from '#kernel';
import { readJsonFile } from '../given-file.js';

/** Reads an explanation that was stored as JSON, or that of a statement. */
export const readUsageFile = (path: string): UsageDocument => {
  const value = explanationIn(readJsonFile(path));
  if (!isUsageDocument(value)) throw invalidRequest({ field: path, message: 'is no explanation of usage' });
  return value;
};

const explanationIn = (value: unknown): unknown => {
  const { statement } = membersOf(value);
  return membersOf(statement).explanation ?? value;
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isUsageDocument = (value: unknown): value is UsageDocument => {
  const { kind, version, price, totals, creators } = membersOf(value);
  const isWhole = typeof price === 'object' && typeof totals === 'object' && Array.isArray(creators);
  return kind === 'usage_explanation' && version === 1 && isWhole;
};
