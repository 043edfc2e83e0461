import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { AnyDecider } from '#kernel';
import { DECIDERS } from './index.js';

const LIBS = new URL('../../', import.meta.url);

/** Every lib that has streams: the contexts, and the engine that sets aside what could not be processed. */
const libsWithStreams = (): string[] => [
  ...readdirSync(LIBS).filter((lib) => existsSync(new URL(`${lib}/src/domain`, LIBS))),
  'jobs',
];

const decidersOf = async (lib: string): Promise<AnyDecider[]> => {
  const exported = (await import(`#${lib}`)) as Record<string, unknown>;
  return Object.entries(exported).flatMap(([name, value]) => (name.endsWith('Decider') ? [value as AnyDecider] : []));
};

it('every decider of every context is known by its category', async () => {
  const deciders = (await Promise.all(libsWithStreams().map(decidersOf))).flat();
  expect(deciders.length).toBeGreaterThan(10);
  expect([...DECIDERS.values()].toSorted(byCategory)).toEqual(deciders.toSorted(byCategory));
  for (const [category, decider] of DECIDERS) expect(decider.category).toBe(category);
});

const byCategory = (one: AnyDecider, other: AnyDecider) => (one.category < other.category ? -1 : 1);
