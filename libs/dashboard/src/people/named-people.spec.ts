import { beforeEach, expect, it } from '@jest/globals';
import { DAY, type UserId } from '#kernel';
import { FakeClock, InMemoryDocumentStore } from '#testing';
import { DASHBOARD_PEOPLE, NamedPeople } from './named-people.js';
import { actorOf, type Person } from './person.js';

const userId = '6f9619ff-8b86-4d01-b42d-00c04fc964ff' as UserId;
const ana: Person = {
  ...{ issuer: 'https://idp.example', subject: 'ana', userId, name: 'Ana', agencies: [], roles: [] },
};
let documents: InMemoryDocumentStore;
let clock: FakeClock;
let people: NamedPeople;

beforeEach(async () => {
  documents = new InMemoryDocumentStore();
  clock = new FakeClock();
  people = new NamedPeople(documents, clock);
  await documents.ensure([DASHBOARD_PEOPLE]);
});

it('names a person by each actor that the event log may have', async () => {
  await people.remember(ana);
  const actors = [actorOf(ana, true), actorOf(ana, false)];
  expect([...(await people.of([...actors, 'user:nobody', 'key:key_1']))]).toEqual(
    actors.map((actor) => [actor, 'Ana']),
  );
});

it('keeps the name of the last sign-in, and the last name of who has none now', async () => {
  await people.remember(ana);
  await people.remember({ ...ana, name: 'Ana Reyes' });
  await people.remember({ ...ana, name: null });
  expect([...(await people.of([`user:${userId}`])).values()]).toEqual(['Ana Reyes']);
});

it('forgets a name 400 days after the last sign-in', async () => {
  await people.remember(ana);
  clock.advance(399 * DAY);
  expect((await people.of([`user:${userId}`])).size).toBe(1);
  clock.advance(DAY);
  expect((await people.of([`user:${userId}`])).size).toBe(0);
  clock.advance(1);
  await people.remember({ ...ana, subject: 'other', userId: null, name: null });
  expect(await documents.count(DASHBOARD_PEOPLE.name)).toBe(0);
});
