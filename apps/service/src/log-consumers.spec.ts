import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { ModuleRef } from '@nestjs/core';
import { LOG_RUNNERS, RUNNERS } from '#contexts';
import { Reaction } from '#jobs';
import { logConsumers } from './log-consumers.js';

const LIBS = join(import.meta.dirname, '../../../libs');

/** An instance that is never used. */
const made = (provided: abstract new (...dependencies: never[]) => unknown): unknown =>
  Reflect.construct(
    provided,
    Array.from({ length: provided.length }, () => ({})),
  );

const consumers = logConsumers({ get: made } as Pick<ModuleRef, 'get'>);

/** The files of all libs, with their text. */
const sources = globSync('*/src/**/*.ts', { cwd: LIBS })
  .filter((file) => !/\.(spec|fixtures)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(LIBS, file), 'utf8') }));

const exportsOf = async (file: string) => (await import(join(LIBS, file))) as Record<string, unknown>;

const isConsumer = (value: unknown): boolean =>
  typeof value === 'function' && value !== Reaction && 'handle' in (value.prototype ?? {});

it('LOG_RUNNERS names all that follows the log, and nothing that does not run', () => {
  expect(consumers.map(({ name }) => name).toSorted()).toEqual(LOG_RUNNERS.toSorted());
});

it('each class that implements LogConsumer follows the log', async () => {
  const running = new Set<unknown>(consumers.map((consumer) => consumer.constructor));
  const files = sources.filter(({ text }) => text.includes(' implements LogConsumer'));
  const found = await Promise.all(
    files.map(async ({ file }) => {
      const classes = Object.entries(await exportsOf(file)).filter(([, value]) => isConsumer(value));
      return classes.map(([name, value]) => ({ place: `${file}: ${name}`, value }));
    }),
  );
  expect(
    found
      .flat()
      .filter(({ value }) => !running.has(value))
      .map(({ place }) => place),
  ).toEqual([]);
  expect(found.flat().length).toBeGreaterThan(0);
});

it('RUNNERS names all that set something aside', async () => {
  const setting = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\brunner: ([A-Z][A-Z_]+)\b/g)].map(([, name = '']) => ({ file, name })),
  );
  const named = await Promise.all(
    setting.map(async ({ file, name }) => {
      const lib = file.split('/')[0];
      return { place: `${file}: ${name}`, runner: (await exportsOf(`${lib}/src/index.ts`))[name] };
    }),
  );
  expect(named.filter(({ runner }) => !RUNNERS.includes(runner as string)).map(({ place }) => place)).toEqual([]);
  // The log's runners set aside under their own names.
  const others = new Set(named.map(({ runner }) => runner));
  expect(RUNNERS.filter((runner) => !LOG_RUNNERS.includes(runner) && !others.has(runner))).toEqual([]);
});
