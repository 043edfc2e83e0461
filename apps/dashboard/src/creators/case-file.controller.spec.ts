import { expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { CasesOptions } from '#cases';
import { derivedId } from '#kernel';
import { DashboardReads } from '../access/dashboard-reads.js';
import type { DashboardSession } from '../access/dashboard-session.js';
import { CaseFileController } from './cases.controller.js';
import type { FoundCreators } from './found-creators.js';

const PAGES = 20;
const workspaceId = derivedId('workspace', 'ag_lumen');
const creatorId = derivedId('creator', 'mia');
const user = { workspaceId, context: { correlationId: 'req' } } as DashboardSession;
const reply = { header: () => undefined } as unknown as FastifyReply;

it('several files of one agency take one page together in a turn of the event loop, from a store that never waits', async () => {
  const pagesOfTurns = new Set<number>();
  let pages = 0;
  const queries = {
    execute: async ({ page }: { page: { after?: string } }) => {
      pages++;
      const number = Number(page.after ?? 0) + 1;
      return { items: [], nextCursor: number < PAGES ? String(number) : null };
    },
  } as unknown as QueryBus;
  const seen = { refresh: async () => ({ workspaceId, creatorId }) } as unknown as FoundCreators;
  const controller = new CaseFileController(queries, seen, {} as CasesOptions, new DashboardReads());
  let isDone = false;
  const turn = () => {
    pagesOfTurns.add(pages);
    pages = 0;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const download = async () => Array.fromAsync(await controller.file(user, creatorId, reply));
  await Promise.all([download(), download(), download()]);
  isDone = true;
  expect(Math.max(...pagesOfTurns)).toBe(1);
});
