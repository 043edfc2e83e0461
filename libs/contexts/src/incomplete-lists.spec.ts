import { beforeEach, expect, it } from '@jest/globals';
import { keyListProjection, ListKeys } from '#agencies';
import { derivedId, LiveCollections } from '#kernel';
import { deadLetterProjection } from '#projections';
import {
  deliveryListProjection,
  endpointListProjection,
  ListEndpoints,
  SearchDeliveries,
  WEBHOOK_SCHEDULING,
} from '#webhooks';
import { agency, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { type TestedContext, testedContext } from '../../testing/src/tested-context.js';
import { ContextsModule } from './contexts.module.js';

let service: TestedContext;
let live: LiveCollections;

beforeEach(async () => {
  service = await testedContext([ContextsModule]);
  live = service.get(LiveCollections);
});

/** The queries of the operators' lists, of an agency without any documents. */
const LISTS = {
  keys: () => service.queries.execute(new ListKeys(agency)),
  deliveries: async () => {
    const search = new SearchDeliveries(agency, { status: 'pending' }, 10, undefined);
    return (await service.queries.execute(search)).deliveries;
  },
  endpoints: () => service.queries.execute(new ListEndpoints(agency)),
};
const listed = (list: keyof typeof LISTS): Promise<unknown> => LISTS[list]();

const recordDeadLetter = async (scope: string, by = workspaceId) => {
  const put = [{ id: `${scope}-${by}`, scope, workspaceId: by }];
  await service.documents.write([{ collection: await live.of(deadLetterProjection), put }]);
};

it.each([
  ['keys', keyListProjection.name],
  ['deliveries', deliveryListProjection.name],
  ['deliveries', WEBHOOK_SCHEDULING],
  ['endpoints', endpointListProjection.name],
] as const)(
  "D67: an operator's list of %s is refused while %s has set aside something of the agency",
  async (list, scope) => {
    await recordDeadLetter(scope, derivedId('workspace', 'another agency'));
    expect(await listed(list)).toEqual([]);
    await recordDeadLetter(scope);
    await expect(listed(list)).rejects.toMatchObject({ code: 'provider_unavailable' });
  },
);

it.each([
  ['keys', keyListProjection],
  ['deliveries', deliveryListProjection],
  ['endpoints', endpointListProjection],
] as const)(
  "D67: an operator's list of %s is refused if something is set aside directly after it was read",
  async (list, shown) => {
    const collection = await live.of(shown);
    const find = service.documents.find.bind(service.documents);
    service.documents.find = async (from, ...query) => {
      const found = await find<never>(from, ...query);
      if (from === collection) await recordDeadLetter(shown.name);
      return found;
    };
    await expect(listed(list)).rejects.toMatchObject({ code: 'provider_unavailable' });
  },
);
