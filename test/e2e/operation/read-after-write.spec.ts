import { expect, test } from '@jest/globals';
import type { Case, Creator, FullCreator, Page, Scan } from '#client';
import { MINUTE, newId } from '#kernel';
import { eventually } from '#testing';
import { bodyOf } from '../support/api-client.js';
import { holdReadModels } from '../support/lag.js';
import type { Event } from '../support/resources.js';
import { startService } from '../support/start-service.js';

// No test here waits for anything: each write is followed by a read immediately, while the views are slow to follow.
const service = await startService({ viewsLagBy: 20 });
const ROUNDS = Array.from({ length: 6 }, (_, round) => round);

const lastEvent = (events: readonly Event[]) => events.at(-1);

test('an enrolled creator can be read and listed, and has its event, right after its 201', async () => {
  const agency = await service.agency({ slots: 50 });
  for (const round of ROUNDS) {
    const userId = await agency.user();
    const { email_sent: _, ...creator } = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(userId)));
    const [read, roster, events] = await Promise.all([
      agency.api.creator(creator.id),
      agency.api.roster(),
      agency.api.events(),
    ]);
    expect(read).toMatchObject(creator);
    expect(roster).toHaveLength(round + 1);
    expect(lastEvent(events)).toMatchObject({ type: 'creator.updated', data: { creator_id: creator.id } });
  }
});

test('protection shows everywhere right after its 200', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  for (const round of ROUNDS) {
    const status = round % 2 === 0 ? 'active' : 'paused';
    bodyOf(await agency.api.protect(id, status));
    const [read, [listed], events] = await Promise.all([
      agency.api.creator(id),
      agency.api.roster(),
      agency.api.events(),
    ]);
    expect([read.protection_status, listed?.protection_status]).toEqual([status, status]);
    expect(lastEvent(events)?.type).toBe(status === 'active' ? 'protection.activated' : 'protection.paused');
  }
});

test('a scan can be read and is pending right after its 202; the next one is accepted after it has ended', async () => {
  const agency = await service.agency({ slots: 50 });
  for (const _ of ROUNDS) {
    const { id } = await agency.active();
    const scan = bodyOf<Scan>(await agency.api.queueScan(id, `k-${id}`));
    const [read, other, replay] = await Promise.all([
      agency.api.scan(scan.id),
      agency.api.queueScan(id, `other-${id}`),
      agency.api.queueScan(id, `k-${id}`),
    ]);
    expect(read).toMatchObject({ id: scan.id, creator_id: id });
    expect([other.outcome, replay.outcome]).toEqual(['409 scan_in_progress', '200']);
  }
});

test('the findings of a read are valid cursors right after it', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  for (const round of ROUNDS) {
    await agency.leaks(userId, 3);
    const page = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?limit=2`);
    const rest = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?limit=100&after=${page.next_cursor}`);
    expect(page.data.length + rest.data.length).toBe(3 * (round + 1));
    await service.pass(MINUTE);
  }
});

test('an id in an event is a valid cursor immediately, even if the lists do not have it yet', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 1);
  const record = { platform: 'instagram', url: 'https://www.instagram.com/not_ivy', username: 'not_ivy' };
  await service.platform.control('POST', `/creators/${userId}/impersonations`, record);
  const readModels = holdReadModels(service.services);
  const readings = ['cases', 'impersonations'].map((list) => agency.api.get(`/v1/creators/${id}/${list}`));
  const published = (type: string) =>
    eventually(async () => {
      const event = (await agency.api.events()).find((each) => each.type === type);
      if (event === undefined) throw new Error(`there is no ${type} yet`);
      return event.data;
    });
  const { case_id } = await published('case.created');
  const { impersonation_id } = await published('impersonation.created');
  const cases = await agency.api.get(`/v1/creators/${id}/cases?after=${case_id}`);
  const impersonations = await agency.api.get(`/v1/creators/${id}/impersonations?after=${impersonation_id}`);
  readModels.goOn();
  await Promise.all(readings);
  expect([cases.outcome, impersonations.outcome]).toEqual(['200', '200']);
});

test('an event is a valid cursor right after it was read', async () => {
  const agency = await service.agency({ slots: 50 });
  for (const _ of ROUNDS) {
    await agency.linked();
    const last = lastEvent(await agency.api.events());
    const after = await agency.api.got<Page<Event>>(`/v1/events?after=${last?.id}`);
    expect(after).toMatchObject({ data: [], next_cursor: null });
  }
});

test('whether a cursor is valid does not depend on how far the read models are', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 1);
  const readModels = holdReadModels(service.services);
  const reading = agency.api.get(`/v1/creators/${id}/cases`);
  const published = await eventually(async () => {
    const event = (await agency.api.events()).find(({ type }) => type === 'case.created');
    if (event === undefined) throw new Error('there is no case.created yet');
    return event;
  });
  const answers = [published.id, newId('event')].map((cursor) => agency.api.get(`/v1/events?after=${cursor}`));
  const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome);
  readModels.goOn();
  await reading;
  expect(outcomes).toEqual(['200', '400 invalid_request']);
});

test('an imported creator can be read, changed and protected right after the page that imported it', async () => {
  const agency = await service.agency();
  await agency.users(5);
  const roster: FullCreator[] = await agency.api.roster();
  const answers = await Promise.all(
    roster.flatMap(({ id }) => [agency.api.get(`/v1/creators/${id}`), agency.api.protect(id, 'active')]),
  );
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
});
