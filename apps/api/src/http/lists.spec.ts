import { beforeEach, expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Access } from '#http';
import { derivedId } from '#kernel';
import { FakeClock } from '#testing';
import { contextOf, scope } from '../../../../libs/testing/src/tested-context.js';
import { CasesController } from './cases.controller.js';
import { CreatorsController } from './creators.controller.js';
import { EventsController } from './events.controller.js';
import { ImpersonationsController } from './impersonations.controller.js';

interface Asked {
  readonly limit?: number;
  readonly cursor?: string;
}

const mia = derivedId('creator', 'mia');
const eve = derivedId('creator', 'eve');
const caller = { scope, context: contextOf() } as Access;
const reply = { header: () => reply } as unknown as FastifyReply;
const clock = new FakeClock();

/** The pages that were asked for. Each one is empty, with the platform's cursor of the page after it. */
const asked: Asked[] = [];
const cursors: string[] = [];
const execute = async ({ page, limit }: { readonly page?: Asked; readonly limit?: number }) => {
  if (page !== undefined || limit !== undefined) asked.push(page ?? { limit: Number(limit) });
  return { creators: [], items: [], records: [], events: [], nextCursor: cursors.shift() ?? null };
};
const commands = { execute } as unknown as CommandBus;
const queries = { execute } as unknown as QueryBus;
const key = Buffer.alloc(32, 7);
const options = { walkEvery: 0, faviconTemplate: undefined };
const cases = new CasesController(commands, queries, options, clock, { current: key, all: [key] });
const impersonations = new ImpersonationsController(commands, queries);

beforeEach(() => {
  asked.length = 0;
});

it.each([
  ['creators', 25, () => new CreatorsController(commands, clock).listCreators(caller, {})],
  ['cases', 25, () => cases.listCases(caller, mia, {})],
  ['the report', 100, () => cases.getReport(caller, mia, {}, reply)],
  ['activity', 25, () => cases.listActivity(caller, mia, {})],
  ['impersonations', 25, () => impersonations.listImpersonations(caller, mia, {})],
  ['events', 25, () => new EventsController(queries).listEvents(caller, {})],
])('a page of %s has at most %i items by default (D52)', async (_, limit, list) => {
  await list();
  expect(asked).toEqual([{ limit }]);
});

/** Reads a page of activity, and returns the cursor of the one after it. */
const activity = async (after?: string, id: string = mia) =>
  (await cases.listActivity(caller, id, { ...(after !== undefined && { after }) })).next_cursor ?? '';

it("another creator's cursor of activity is refused, and the platform is not asked (D53)", async () => {
  cursors.push('page-2');
  const cursor = await activity();
  await expect(activity(cursor, eve)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'after' }] });
  expect(asked).toHaveLength(1);
});

it('activity whose cursors repeat is provider_invalid_response (D80)', async () => {
  cursors.push('again', 'again');
  await expect(activity(await activity())).rejects.toMatchObject({ code: 'provider_invalid_response' });
});
