import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type AnnouncedStreams, announcesNothing, type ContextDefinition } from '#kernel';
import { ANNOUNCED_TYPES } from '../../event-feed/src/publishing/announcements.js';
import { CONTEXTS, DUE_KINDS } from './index.js';

const LIBS = join(import.meta.dirname, '../..');

it('lists each context that there is, once', async () => {
  const files = globSync('*/src/*.context.ts', { cwd: LIBS });
  const modules = files.map(async (file) => (await import(join(LIBS, file))) as Record<string, ContextDefinition>);
  const defined = (await Promise.all(modules)).flatMap((module) => Object.values(module));
  expect(defined.length).toBe(files.length);
  expect(new Set(CONTEXTS)).toEqual(new Set(defined));
  expect(new Set(CONTEXTS.map(({ name }) => name)).size).toBe(CONTEXTS.length);
});

it.each(CONTEXTS.map(({ name, announcements }) => ({ name, announcements })))(
  'publishes what $name announces',
  ({ announcements }) => {
    const rows = (announcements as readonly AnnouncedStreams[]).flatMap((streams) => Object.entries(streams.rows));
    const announced = rows.filter(([, row]) => row !== announcesNothing).map(([type]) => type);
    expect(announced.filter((type) => !ANNOUNCED_TYPES.has(type))).toEqual([]);
  },
);

it('has a decider for each category once', () => {
  const categories = CONTEXTS.flatMap(({ deciders }) => deciders.map(({ category }) => category));
  expect(new Set(categories).size).toBe(categories.length);
});

it('has a job for each due kind, and no other', () => {
  const jobs = CONTEXTS.flatMap(({ dueJobs }) => Object.keys(dueJobs));
  expect(jobs.toSorted()).toEqual([...DUE_KINDS].toSorted());
});
