import { expect, test } from '@jest/globals';
import { CreatorProtection, isApiError, isKnownEvent } from '#client';
import type { OpenApiDocument } from '../e2e/support/documented.js';
import { findingIn } from '../e2e/support/findings.js';
import { startService } from '../e2e/support/start-service.js';

const service = await startService();
const { agency, creator, found } = await findingIn(service);

/** The routes that were called, as the document writes them. */
const called = new Set<string>();
const recording: typeof fetch = (url, init) => {
  const path = new URL(String(url)).pathname.replace(/\/[a-z]{3}_[0-9a-z]{26}/, '/{id}');
  called.add(`${init?.method} ${path}`);
  return fetch(url, init);
};

const client = new CreatorProtection({ baseUrl: service.url, apiKey: agency.api.secret, fetch: recording });
const userId = await agency.user();
const enrollment = {
  workspace_id: agency.workspaceId,
  external_id: 'ivy',
  display_name: 'Ivy Vale',
  svc_user_id: userId,
};

test('enrolls by link, and answers a repeat with the same creator', async () => {
  const first = await client.creators.enroll(enrollment).withResponse();
  const second = await client.creators.enroll(enrollment).withResponse();
  expect([first.response.status, second.response.status, second.data.id]).toEqual([201, 200, first.data.id]);
  expect([first.data.email_sent, second.data.email_sent]).toEqual([false, undefined]);
  await expect(client.creators.enroll({ ...enrollment, display_name: 'Ivy' })).rejects.toMatchObject({
    code: 'external_id_conflict',
    status: 409,
  });
});

test('invites, sends again and withdraws', async () => {
  const invited = await client.creators.enroll({
    workspace_id: agency.workspaceId,
    external_id: 'moss',
    display_name: 'Talia Moss',
    email: 'talia@example.com',
    first_name: 'Talia',
    last_name: 'Moss',
  });
  service.clock.advance(120_000);
  expect(await client.creators.resendInvitation(invited.id)).toMatchObject({ id: invited.id });
  expect(await client.creators.remove(invited.id)).toMatchObject({ enrollment_status: 'cancelled' });
});

test('names what is wrong with a body', async () => {
  const error: unknown = await client.creators.update(creator.id, { aliases: [''] }).catch((refusal) => refusal);
  if (!isApiError(error, 'invalid_request')) throw error;
  expect(error.details).toEqual([{ field: 'aliases[0]', message: expect.any(String) }]);
  expect(error.message).toContain('aliases[0]');
  expect(error.requestId).toBe(error.response.headers.get('x-request-id'));
});

test('reads and changes what belongs to a creator', async () => {
  expect(await client.connection.get()).toMatchObject({ workspace_id: agency.workspaceId });
  expect(await client.workspaces.get(agency.workspaceId)).toMatchObject({ id: agency.workspaceId });
  expect(await client.creators.get(creator.id)).toMatchObject({ protection_status: 'active' });
  expect(await client.creators.update(creator.id, { aliases: ['ivy v'] })).toMatchObject({
    aliases: expect.arrayContaining(['ivy v']),
  });
  expect(await client.creators.setProtection(creator.id, { status: 'active' })).toMatchObject({ id: creator.id });
  expect((await client.creators.list({ limit: 1 }).toArray()).map(({ id }) => id)).toContain(creator.id);
  const cases = await client.cases.list(creator.id, { limit: 1 }).toArray();
  expect(cases.map(({ id }) => id)).toContain(found.id);
  expect((await client.creators.activity(creator.id).toArray()).length).toBeGreaterThan(0);
  expect(await client.usage.get()).toMatchObject({ active_creator_count: 1 });
  expect(await client.usage.capacity()).toMatchObject({ total_slots: 10 });
  const rows = [];
  for await (const row of client.creators.report(creator.id, { limit: 1 })) rows.push(row.id);
  expect(rows).toEqual(cases.map(({ id }) => id));
});

test('queues, requests and reports once, however often it is asked under one key', async () => {
  const again = { idempotencyKey: 'job 7' };
  const scan = await client.scans.queue(creator.id, again);
  expect(await client.scans.queue(creator.id, again)).toMatchObject({ id: scan.id });
  expect(await client.scans.get(scan.id)).toMatchObject({ creator_id: creator.id, source: 'manual' });
  const deindexing = await client.deindexing.request(found.id, { provider: 'search' }, again);
  expect(await client.deindexing.get(deindexing.id)).toMatchObject({ case_id: found.id });
  const account = { url: 'https://www.instagram.com/not_her' };
  const reported = await client.impersonations.report(creator.id, account, again);
  expect(await client.impersonations.report(creator.id, account, again)).toMatchObject({ id: reported.id });
  expect(await client.impersonations.list(creator.id).toArray()).toMatchObject([{ id: reported.id }]);
});

test('follows the feed over all pages, and continues at its cursor', async () => {
  await service.quiet();
  const all = await client.events.list().toArray();
  const seen: string[] = [];
  let cursor: string | undefined;
  for (const upTo of [Math.floor(all.length / 2), all.length]) {
    const feed = client.events.follow(cursor === undefined ? {} : { after: cursor });
    for await (const event of feed) {
      expect(isKnownEvent(event)).toBe(true);
      cursor = feed.cursor;
      if (seen.push(event.id) === upTo) break;
    }
  }
  expect(seen).toEqual(all.map(({ id }) => id));
});

test('has a method for each operation of the document, which these tests have called', async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...called].toSorted()).toEqual(operations.toSorted());
});
