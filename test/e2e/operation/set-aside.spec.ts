import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { readConfig } from '#configuration';
import { EVENT_FEED, PUBLISHER } from '#event-feed';
import { derivedId, InvalidAppend, newEventId, newId, SECOND, streamName } from '#kernel';
import { eventually } from '#testing';
import { openService } from '../../support/open-service.js';
import { runTool } from '../../support/tool.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { log, deadLetters, deadLetterList } = service.services;

/** Which events of the feed are larger than the log takes. */
let isTooLarge: (text: string) => boolean;
const append = log.append.bind(log);
log.append = async (stream, expected, events) => {
  if (stream.startsWith(`${EVENT_FEED}-`) && isTooLarge(JSON.stringify(events))) {
    throw new InvalidAppend('too large');
  }
  return append(stream, expected, events);
};
beforeEach(() => {
  isTooLarge = () => false;
});

interface Readiness {
  readonly status: string;
  readonly set_aside: number;
  readonly runners: Readonly<Record<string, { readonly lag?: number; readonly set_aside: number }>>;
}
const ready = async () => {
  const answer = await fetch(`${service.url}/health/ready`);
  return { status: answer.status, body: (await answer.json()) as Readiness };
};
/** How often the publisher has set something aside, as operators see it. */
const counted = async () => {
  const metrics = await service.services.metrics.registry.metrics();
  return /^runner_set_aside_total\{runner="publisher"\} (\d+)$/m.exec(metrics)?.[1];
};
const listed = () => deadLetterList.list();

test('D67: an event that cannot be published delays no other event, and is published later at the end of the feed', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const creator = await agency.linked();
  isTooLarge = (text) => text.includes('Enormous') && !text.includes('Small');
  await agency.api.patch(creator.id, { aliases: ['Enormous'] });
  await agency.api.patch(creator.id, { aliases: ['Small'] });
  const began = performance.now();
  await other.linked();
  expect(performance.now() - began).toBeLessThan(10 * SECOND);
  await service.quiet();

  const names = async () =>
    (await agency.publishedEvents()).flatMap(({ data }) =>
      'creator' in data ? [(data.creator as Creator).aliases.at(-1)] : [],
    );
  expect(await names()).not.toContain('Enormous');
  expect((await names()).at(-1)).toBe('Small');
  const [deadLetter] = await listed();
  expect(deadLetter).toMatchObject({
    runner: PUBLISHER,
    workspaceId: agency.workspaceId,
    error: 'InvalidAppend: too large',
  });
  await eventually(async () => {
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', set_aside: 1, runners: { [PUBLISHER]: { set_aside: 1 } } },
    });
  });
  expect(await counted()).toBe('1');

  isTooLarge = () => false;
  if (deadLetter === undefined) throw new Error('nothing was set aside');
  const { runner, part, item, workspaceId } = deadLetter;
  const context = {
    actor: 'operator:test',
    correlationId: 'c',
    causationId: null,
    workspaceId,
    consistencyToken: { advanceTo() {} },
  };
  await deadLetters.retry({ runner, part, item }, context as never);
  await eventually(async () => expect((await names()).at(-1)).toBe('Enormous'));
  await service.quiet();
  expect(await listed()).toEqual([]);
  await service.restart();
  await agency.api.patch(creator.id, { aliases: ['After all'] });
  await service.quiet();
  expect((await names()).slice(-3)).toEqual(['Small', 'Enormous', 'After all']);
});

/** A finding that no list can show, as nothing that is accepted can be. */
const bad = (workspaceId: string, creatorId: string) => {
  const metadata = { at: 1, correlationId: 'c', causationId: null, actor: 'test', workspaceId: workspaceId as never };
  const data = { caseId: derivedId('case', creatorId), creatorId };
  return { id: newEventId(), type: 'case.opened.v1', data, metadata };
};

test('D67: a list that lacks a set-aside item is 503; the lists of other agencies and the feed continue', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const [{ id }, theirs] = [await agency.linked(), await other.linked()];
  const stream = streamName('case', derivedId('case', id));
  await service.services.log.append(stream, 'none', [bad(agency.workspaceId, id)]);
  await service.quiet();
  for (const path of ['cases', 'report']) {
    const { status, body } = await agency.api.get(`/v1/creators/${id}/${path}`);
    expect([status, body]).toMatchObject([503, { error: { code: 'provider_unavailable' } }]);
    expect((await other.api.get(`/v1/creators/${theirs.id}/${path}`)).status).toBe(200);
  }
  expect((await agency.api.get(`/v1/creators/${id}/impersonations`)).status).toBe(200);
  expect((await agency.api.get('/v1/usage')).status).toBe(200);
  expect((await agency.api.get('/v1/events')).status).toBe(200);
});

const directory = mkdtempSync(join(tmpdir(), 'set-aside-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const cli = (...words: string[]) => runTool(words, { DATA_DIR: directory });

test('D67: projections status lists what is set aside, and projections retry processes it', async () => {
  const opened = await openService(readConfig({ DATA_DIR: directory }));
  const [workspaceId, creatorId] = [newId('workspace'), newId('creator')];
  const stream = streamName('case', derivedId('case', creatorId));
  await opened.services.log.append(stream, 'none', [bad(workspaceId, creatorId)]);
  await opened.close();

  // The runners of the tool meet it first, as no worker runs.
  const first = await cli('projections', 'retry', '--json');
  expect([first.status, JSON.parse(first.stdout)]).toMatchObject([1, { set_aside: expect.any(Array) }]);
  const rows = JSON.parse((await cli('projections', 'status', '--json')).stdout) as {
    name: string;
    set_aside: object[];
  }[];
  const listed = rows.flatMap(({ name, set_aside: set }) => set.map((one) => ({ name, ...one })));
  expect(listed).toMatchObject([
    { name: 'cases', read_model: 'cases', workspace_id: workspaceId, error: expect.stringContaining('TypeError') },
    { name: 'cases_of_creators', read_model: 'cases_of_creators' },
    { name: PUBLISHER, runner: PUBLISHER, read_model: null },
  ]);
  expect((await cli('projections', 'status')).stdout).toMatch(/set aside by cases: event .*TypeError/);
  const again = JSON.parse((await cli('projections', 'retry', '--json')).stdout);
  expect(again).toMatchObject({ retried: 3, set_aside: { length: 3 } });
});
