import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Impersonation } from '#client';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const URL_OF_FAKE = 'https://www.instagram.com/not_ivy';
const report = (creatorId: string, key: string = randomUUID(), url = URL_OF_FAKE, of: Agency = agency) =>
  of.api.reportImpersonation(creatorId, url, key);
const reported = (answer: Exchange) => bodyOf<Impersonation>(answer);

/** How many cases the platform has opened for a creator, over the API or not. */
const opened = async (userId: string) => {
  const state = await service.platform.control<{ impersonations: { user_id: string }[] }>('GET', '/state');
  return state.impersonations.filter((record) => record.user_id === userId).length;
};

const createdOf = async (creatorId: string) =>
  (await agency.publishedEvents()).filter(
    ({ type, data }) => type === 'impersonation.created' && data.creator_id === creatorId,
  );

test('a report opens one case at the platform, and answers with the impersonation (D54)', async () => {
  const { id, userId } = await agency.linked();
  const answer = await report(id);
  expect([answer.outcome, answer.body]).toEqual([
    '201',
    {
      id: expect.stringMatching(/^imp_/),
      creator_id: id,
      platform: 'instagram',
      url: URL_OF_FAKE,
      username: 'not_ivy',
      status: 'open',
      created_at: service.clock.now(),
      updated_at: service.clock.now(),
      available: true,
      simulated: false,
    },
  ]);
  expect(await opened(userId)).toBe(1);
});

test('is listed and published immediately, and a walk finds nothing new in it', async () => {
  const { id } = await agency.linked();
  const { id: impersonationId } = reported(await report(id));
  expect((await createdOf(id)).map(({ data }) => data.impersonation_id)).toEqual([impersonationId]);
  expect((await agency.api.impersonations(id)).map((shown) => shown.id)).toEqual([impersonationId]);
  expect(await createdOf(id)).toHaveLength(1);
});

test('ten concurrent requests under one key are one report', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => report(id, key)));
  expect(answers.filter(({ outcome }) => outcome === '201')).toHaveLength(1);
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['200', '201']));
  expect(new Set(answers.map((answer) => reported(answer).id)).size).toBe(1);
  expect(await opened(userId)).toBe(1);
  expect(await createdOf(id)).toHaveLength(1);
  // The platform counts by reference: each report of this file arrived once.
  expect(new Set(Object.values((await service.platform.effects()).impersonations))).toEqual(new Set([1]));
});

test('an unsupported url is 400 on the url, and consumes no key', async () => {
  const { id, userId } = await agency.linked();
  const key = randomUUID();
  for (const url of ['https://myspace.example/not_ivy', 'http://instagram.com/not_ivy', 'https://instagram.com/']) {
    expect(refusedFields(await report(id, key, url))).toEqual(['url']);
  }
  expect((await report(id, key)).outcome).toBe('201');
  expect(await opened(userId)).toBe(1);
});
