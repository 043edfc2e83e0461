import type { NativeCreator, Slot } from '../../contract/types.js';
import { type Check, check, type Subject } from '../check.js';
import { equal, expect, Failed, Skipped, skipUnless, walk } from '../contract-client.js';

const MAX_CREATORS_READ = 10;
const MAX_FENCE = Number.MAX_SAFE_INTEGER;
/** A fence above the contract's maximum would make the slot unusable on a platform that accepts it. */
const BAD_FENCES = ['0', '-1', '1.5', 'x'];

/** A creator whose slot this API does not hold, and calls with fences above all that the platform has seen. */
interface FreeSlot {
  path: { agency_id: string; user_id: string };
  fence: number;
}

const listed = ({ client, discovery }: Subject, limit = 200) =>
  walk<Slot>(client, 'listSlots', { agency_id: discovery.agencyId }, { limit });

async function freeSlots(subject: Subject, count: number): Promise<FreeSlot[]> {
  const { discovery } = subject;
  await discovery.requireFreeSlots(count);
  const held = new Set((await listed(subject)).map(({ user_id }) => user_id.toLowerCase()));
  const free: FreeSlot[] = [];
  for (const creator of (await discovery.creators()).slice(0, MAX_CREATORS_READ)) {
    if (held.has(creator.user_id.toLowerCase())) continue;
    const before = (await discovery.capacity()).occupied_slots;
    const slot = await claimed(subject, creator);
    // Otherwise the dashboard holds it, and the capacity does not show this API's hold.
    const occupied = (await discovery.capacity()).occupied_slots;
    expect(occupied >= (await listed(subject)).length, 'occupied_slots counts what listSlots shows');
    const isShown = occupied > before;
    await release(subject, slot);
    if (isShown) free.push({ ...slot, fence: slot.fence + 1 });
    if (free.length === count) return free;
  }
  throw new Skipped('too few creators without a slot');
}

async function freeSlot(subject: Subject): Promise<FreeSlot> {
  const [slot] = await freeSlots(subject, 1);
  return skipUnless(slot, 'no free slot');
}

/** Occupies the slot with the highest fence, which a refusal of a lower one must name. */
async function claimed({ client, discovery }: Subject, creator: NativeCreator): Promise<FreeSlot> {
  const path = discovery.pathOf(creator);
  const first = await client.call('occupySlot', { path, fence: 1 });
  if (first.status === 200) return { path, fence: 1 };
  if (first.code !== 'stale_fence') throw new Failed(`occupySlot: ${first.status} ${first.code}`);
  // Callers derive fences from the clock's microseconds; a platform need not report the highest one it has seen.
  const fence = first.fence ?? Date.now() * 1000;
  if (fence > MAX_FENCE - 20) throw new Skipped('the fences of this slot are used up');
  await client.get('occupySlot', 200, { path, fence });
  return { path, fence };
}

const occupy = ({ client }: Subject, slot: FreeSlot) => client.get('occupySlot', 200, { ...slot });
const release = ({ client }: Subject, slot: FreeSlot) => client.get('releaseSlot', 204, { ...slot });
/** UUIDs have no case. */
const isSame = (userId: string, { path }: FreeSlot) => userId.toLowerCase() === path.user_id.toLowerCase();
const isListed = async (subject: Subject, slot: FreeSlot) =>
  (await listed(subject)).some(({ user_id }) => isSame(user_id, slot));
const raised = (slot: FreeSlot, by = 1): FreeSlot => ({ ...slot, fence: slot.fence + by });

async function stale({ client }: Subject, operation: string, slot: FreeSlot, highest: number): Promise<void> {
  const { status, code, fence } = await client.call(operation, { ...slot });
  equal([status, code, fence ?? highest], [409, 'stale_fence', highest], `${operation} with a lower fence`);
}

export const slotChecks: readonly Check[] = [
  check('occupySlot and releaseSlot are idempotent and count once', async (subject) => {
    const slot = await freeSlot(subject);
    const occupied = async () => (await subject.discovery.capacity()).occupied_slots;
    const before = await occupied();
    await occupy(subject, slot);
    await occupy(subject, slot);
    equal(await occupied(), before + 1, 'occupied after two PUTs');
    expect(await isListed(subject, slot), 'an occupied slot is listed');
    await release(subject, raised(slot));
    await release(subject, raised(slot));
    equal(await occupied(), before, 'occupied after two DELETEs');
    expect(!(await isListed(subject, slot)), 'a released slot is not listed');
  }),

  ...['occupySlot', 'releaseSlot'].flatMap((id) => [
    check(`${id} needs a Fence`, async (subject) => {
      const { path } = await freeSlot(subject);
      await subject.client.refused(id, { path }, [400, 422, 428]);
    }),

    check(`${id} may refuse a Fence that is no whole number from 1`, async (subject) => {
      const slot = await freeSlot(subject);
      const undo = () => release(subject, slot).then(() => undefined);
      for (const fence of BAD_FENCES) await subject.client.mayRefuse(id, { path: slot.path, fence }, undo);
    }),
  ]),

  check('a slot call with a lower fence changes nothing, one with an equal fence is applied', async (subject) => {
    const slot = await freeSlot(subject);
    const held = () => isListed(subject, slot);
    await occupy(subject, raised(slot, 2));
    await stale(subject, 'releaseSlot', raised(slot), slot.fence + 2);
    expect(await held(), 'a late release takes no slot');
    await release(subject, raised(slot, 2));
    await stale(subject, 'occupySlot', raised(slot), slot.fence + 2);
    expect(!(await held()), 'a late occupation takes no slot');
    await occupy(subject, raised(slot, 2));
    expect(await held(), 'an equal fence is applied');
    await occupy(subject, raised(slot, 4));
    await stale(subject, 'releaseSlot', raised(slot, 3), slot.fence + 4);
    await release(subject, raised(slot, 5));
    await stale(subject, 'occupySlot', raised(slot, 4), slot.fence + 5);
  }),

  check(
    'listSlots shows what this API holds with its fence, by user_id ascending, also by small pages',
    async (subject) => {
      const slots = await freeSlots(subject, 2);
      for (const slot of slots) await occupy(subject, slot);
      const all = await listed(subject);
      const small = await listed(subject, 1);
      for (const slot of slots) await release(subject, raised(slot));
      const ids = all.map(({ user_id }) => user_id.toLowerCase());
      equal(ids, [...new Set(ids)].sort(), 'order');
      equal(small, all, 'small pages');
      for (const slot of slots) {
        equal(all.find(({ user_id }) => isSame(user_id, slot))?.fence, slot.fence, 'the fence');
      }
    },
  ),
];
