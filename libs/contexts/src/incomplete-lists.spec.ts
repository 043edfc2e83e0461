import { beforeEach, expect, it } from '@jest/globals';
import { KeyList, KeyUses, keyListProjection, ListKeys } from '#agencies';
import { FeedIndex, feedIndexProjection } from '#event-feed';
import { derivedId } from '#kernel';
import { ReadModel, SetAsideList, StoredLiveCollections, setAsideProjection } from '#projections';
import { RecordingLogger } from '#testing';
import {
  DeliveryList,
  deliveryListProjection,
  EndpointList,
  endpointListProjection,
  ListEndpoints,
  SearchDeliveries,
  WEBHOOK_SCHEDULING,
} from '#webhooks';
import { AgencyRepository } from '../../agencies/src/application/agency.repository.js';
import { GetBindingHandler } from '../../agencies/src/application/get-binding.js';
import { ListKeysHandler } from '../../agencies/src/application/list-keys.js';
import { agency, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { queryBusOf } from '../../testing/src/buses.js';
import { type TestedContext, testedContext } from '../../testing/src/tested-context.js';
import { ListEndpointsHandler } from '../../webhooks/src/read-models/list-endpoints.js';
import { SearchDeliveriesHandler } from '../../webhooks/src/read-models/search-deliveries.js';
import { ContextsModule } from './contexts.module.js';

let service: TestedContext;
let live: StoredLiveCollections;
let setAsides: SetAsideList;

beforeEach(async () => {
  service = await testedContext([ContextsModule]);
  live = new StoredLiveCollections(service.documents);
  setAsides = new SetAsideList(new ReadModel(setAsideProjection, service.documents, live));
});

/** The queries of the operators' lists, of an agency without any documents. */
const lists = {
  keys: () => {
    const keys = new KeyList(new ReadModel(keyListProjection, service.documents, live));
    const uses = new KeyUses(service.documents, new RecordingLogger());
    return new ListKeysHandler(agencies(), keys, uses, setAsides, service.clock).execute(new ListKeys(agency));
  },
  deliveries: async () => {
    const deliveries = new DeliveryList(new ReadModel(deliveryListProjection, service.documents, live));
    const endpoints = new EndpointList(new ReadModel(endpointListProjection, service.documents, live));
    const feed = new FeedIndex(new ReadModel(feedIndexProjection, service.documents, live));
    const search = new SearchDeliveriesHandler(deliveries, endpoints, feed, bindings(), setAsides);
    return (await search.execute(new SearchDeliveries(agency, { status: 'pending' }, 10, undefined))).deliveries;
  },
  endpoints: () => {
    const endpoints = new EndpointList(new ReadModel(endpointListProjection, service.documents, live));
    return new ListEndpointsHandler(endpoints, bindings(), setAsides).execute(new ListEndpoints(agency));
  },
};
const agencies = () => new AgencyRepository(service.runner);
const bindings = () => queryBusOf(new GetBindingHandler(agencies()));

const setAside = async (scope: string, by = workspaceId) => {
  const put = [{ id: `${scope}-${by}`, scope, workspaceId: by }];
  await service.documents.write([{ collection: await live.of(setAsideProjection), put }]);
};

it.each([
  ['keys', keyListProjection.name],
  ['deliveries', deliveryListProjection.name],
  ['deliveries', WEBHOOK_SCHEDULING],
  ['endpoints', endpointListProjection.name],
] as const)(
  "D67: an operator's list of %s is refused while %s has set aside something of the agency",
  async (list, scope) => {
    await service.documents.ensure([{ name: 'key_uses', indexes: [] }]);
    await setAside(scope, derivedId('workspace', 'another agency'));
    expect(await lists[list]()).toEqual([]);
    await setAside(scope);
    await expect(lists[list]()).rejects.toMatchObject({ code: 'provider_unavailable' });
  },
);

it.each([
  ['keys', keyListProjection],
  ['deliveries', deliveryListProjection],
  ['endpoints', endpointListProjection],
] as const)(
  "D67: an operator's list of %s is refused if something is set aside directly after it was read",
  async (list, shown) => {
    await service.documents.ensure([{ name: 'key_uses', indexes: [] }]);
    const collection = await live.of(shown);
    const find = service.documents.find.bind(service.documents);
    service.documents.find = async (from, ...query) => {
      const found = await find<never>(from, ...query);
      if (from === collection) await setAside(shown.name);
      return found;
    };
    await expect(lists[list]()).rejects.toMatchObject({ code: 'provider_unavailable' });
  },
);
