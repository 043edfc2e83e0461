import { beforeEach, describe, expect, it } from '@jest/globals';
import { derivedId, type ImpersonationId, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { ImpersonationEvent } from '../domain/impersonation.js';
import { type ImpersonationDocument, ImpersonationList, impersonationListProjection } from './impersonation-list.js';

const mia = derivedId('creator', 'mia');
const eve = derivedId('creator', 'eve');
const ids = ['a', 'b', 'c', 'd'].map((native) => derivedId('impersonation', native)).sort();
const [first, second, third, fourth] = ids as [ImpersonationId, ImpersonationId, ImpersonationId, ImpersonationId];

let impersonations: Projecting<ImpersonationDocument, ImpersonationEvent>;
let list: ImpersonationList;
beforeEach(() => {
  impersonations = new Projecting(impersonationListProjection);
  list = new ImpersonationList(impersonations.readModel);
});

const native = {
  platform: 'instagram',
  url: 'https://instagram.com/not_mia',
  username: 'not_mia',
  status: 'open',
  createdAt: 10,
  updatedAt: 20,
};
const recorded = ({ url, username, ...rest }: typeof native) => ({ ...rest, personal: { url, username } });

const open = (impersonationId: ImpersonationId, creatorId = mia) =>
  impersonations.record(streamName('impersonation', impersonationId), {
    type: 'impersonation.opened.v1',
    data: { impersonationId, creatorId, workspaceId, nativeId: `of ${impersonationId}`, ...recorded(native) },
  });
const about = { impersonationId: first, creatorId: mia };
const rowOf = async (id: ImpersonationId) => (await list.getMany([id])).get(id);
const then = (event: ImpersonationEvent) => impersonations.record(streamName('impersonation', first), event);

describe('an impersonation', () => {
  const opened = { id: first, impersonationId: first, creatorId: mia, available: true, record: native };

  it('is listed as it was found, and follows later observations', async () => {
    await open(first);
    expect(await rowOf(first)).toEqual({ ...opened, position: 2 });
    const changed = { ...native, status: 'removed', updatedAt: 30 };
    await then({ type: 'impersonation.changed.v1', data: { ...about, ...recorded(changed) } });
    expect(await rowOf(first)).toEqual({ ...opened, record: changed, position: 4 });
    await then({ type: 'impersonation.removed.v1', data: about });
    expect(await rowOf(first)).toMatchObject({ available: false, record: changed });
    await then({ type: 'impersonation.restored.v1', data: { ...about, ...recorded(native) } });
    expect(await rowOf(first)).toEqual({ ...opened, position: 8 });
  });

  it('is not created by an event without its opening', async () => {
    await then({ type: 'impersonation.changed.v1', data: { ...about, ...recorded(native) } });
    await then({ type: 'impersonation.removed.v1', data: about });
    await then({ type: 'impersonation.restored.v1', data: { ...about, ...recorded(native) } });
    expect(await impersonations.all()).toEqual([]);
  });
});

describe('the list of a creator', () => {
  beforeEach(async () => {
    for (const id of [third, first, fourth]) await open(id);
    await open(second, eve);
  });

  it('is in the order of ids, page by page, and has none of another creator', async () => {
    const page = await list.page(mia, { limit: 2 });
    expect([page.items.map(({ impersonationId }) => impersonationId), page.nextCursor]).toEqual([
      [first, third],
      third,
    ]);
    const next = await list.page(mia, { limit: 2, after: third });
    expect([next.items.map(({ impersonationId }) => impersonationId), next.nextCursor]).toEqual([[fourth], null]);
  });

  it('includes impersonations that are no longer available', async () => {
    await then({ type: 'impersonation.removed.v1', data: about });
    expect((await list.page(mia, { limit: 9 })).items).toHaveLength(3);
  });
});

it('finds impersonations by their ids, and omits unknown ids', async () => {
  await open(first);
  expect([...(await list.getMany([first, second])).keys()]).toEqual([first]);
});
