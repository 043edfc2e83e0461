import { isDeepStrictEqual } from 'node:util';

export class Failed extends Error {}

/** The platform has no data to run the check on. */
export class Skipped extends Error {}

export function expect(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Failed(expectation);
}

/** Ignores the order of members, because JSON has none. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  throw new Failed(`${what}: ${shown?.slice(0, 200)} instead of ${wanted?.slice(0, 200)}`);
}

export function skipUnless<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new Skipped(reason);
  return value;
}
