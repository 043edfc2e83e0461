import { beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AgencyPermits, derivedId, dueItem, type WorkspaceId } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { dueInTurn } from './due-turns.js';
import { DUE_WORK_INDEXES } from './due-work.js';

const NOW = 1_000;

let store: InMemoryDocumentStore;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
});

const agencies = Array.from({ length: 40 }, (_, n) => derivedId('workspace', `agency ${n}`)).toSorted();
const agency = (n: number): WorkspaceId => {
  const found = agencies[n];
  if (found === undefined) throw new Error(`there is no agency ${n}`);
  return found;
};

const makeDue = (workspaceId: WorkspaceId, count: number, dueAt = 10) =>
  store.write([
    {
      collection: 'due',
      put: Array.from({ length: count }, (_, n) => {
        const subject = `${agencies.indexOf(workspaceId)}/${n}`;
        return { ...dueItem('scan', subject, workspaceId, dueAt + n, { id: 'e', correlationId: 'r' }), position: 1 };
      }),
    },
  ]);

const turns = (permits: AgencyPermits) => dueInTurn(store, { collection: 'due', kind: 'scan', permits }, NOW);

/** The subjects of the items in turn; their permits stay taken, and the items stay due. */
const take = async (permits: AgencyPermits) => (await turns(permits)).map(({ task }) => task.subject);

it.each([60, 300])('agencies take turns, one with %i items too', async (count) => {
  await makeDue(agency(0), count);
  await makeDue(agency(2), 2, 500);
  await makeDue(agency(1), 1, 600);
  await makeDue(agency(3), 1, NOW + 1);
  const permits = new AgencyPermits({ perAgency: 4, total: 6 });
  expect(await take(permits)).toEqual(['0/0', '1/0', '2/0', '0/1', '2/1', '0/2']);
});

it('an agency without capacity does not hide the due items of others behind its own', async () => {
  await makeDue(agency(0), 300);
  await makeDue(agency(1), 1, 900);
  const permits = new AgencyPermits({ perAgency: 1, total: 4 });
  permits.take(agency(0));
  expect(await take(permits)).toEqual(['1/0']);
});

it('starts after the agency that was last, in any number of agencies with any number of items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 130 }), { minLength: 1, maxLength: 5 }), async (counts) => {
      store = new InMemoryDocumentStore();
      await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
      for (const [n, count] of counts.entries()) await makeDue(agency(n), count);
      const waiting = counts.flatMap((count, n) => (count > 0 ? [`${n}/0`] : []));
      const inOneRound: string[] = [];
      const permits = new AgencyPermits({ perAgency: 1, total: 1 });
      for (let n = 0; n < waiting.length; n++) {
        for (const { task, permit } of await turns(permits)) {
          inOneRound.push(task.subject);
          permit.release();
        }
      }
      expect(inOneRound).toEqual(waiting);
    }),
    { numRuns: 25 },
  );
});

it('finds the items of all agencies, also of more than one read visits', async () => {
  for (const workspaceId of agencies) await makeDue(workspaceId, 4);
  const permits = new AgencyPermits({ perAgency: 1 });
  const found = [...(await take(permits)), ...(await take(permits))];
  expect(found.toSorted()).toEqual(agencies.map((_, n) => `${n}/0`).toSorted());
  expect(await take(permits)).toEqual([]);
});
