import { beforeEach, expect, it } from '@jest/globals';
import { keyListProjection, ListKeys } from '#agencies';
import { ListImpersonations } from '#impersonations';
import { derivedId, LanePositions, LiveCollections } from '#kernel';
import { deadLetterProjection, READ_MODELS } from '#projections';
import { GetUsage, METERING } from '#usage';
import {
  deliveryListProjection,
  endpointListProjection,
  ListEndpoints,
  SearchDeliveries,
  WEBHOOK_SCHEDULING,
} from '#webhooks';
import { agency, mia, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { impersonationListProjection } from '../../impersonations/src/read-models/impersonation-list.js';
import { type TestedContext, testedContext } from '../../testing/src/tested-context.js';
import { usageIntervalsProjection } from '../../usage/src/read-models/usage-intervals.js';
import { usageMonthsProjection } from '../../usage/src/read-models/usage-months.js';
import { ContextsModule } from './contexts.module.js';

let service: TestedContext;
let live: LiveCollections;

beforeEach(async () => {
  service = await testedContext([ContextsModule]);
  live = service.get(LiveCollections);
  for (const runner of [METERING, READ_MODELS]) service.get(LanePositions).report(runner, await service.log.head());
});

/** Queries about an agency without any documents. */
const LISTS = {
  keys: () => service.queries.execute(new ListKeys(agency)),
  deliveries: async () => {
    const search = new SearchDeliveries(agency, { status: 'pending' }, 10, undefined);
    return (await service.queries.execute(search)).deliveries;
  },
  endpoints: () => service.queries.execute(new ListEndpoints(agency)),
  impersonations: () => service.queries.execute(new ListImpersonations(workspaceId, mia, { limit: 10 })),
  'usage figures': () => service.queries.execute(new GetUsage(workspaceId, undefined)),
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
  ['impersonations', impersonationListProjection.name],
  ['usage figures', METERING],
  ['usage figures', usageMonthsProjection.name],
  ['usage figures', usageIntervalsProjection.name],
] as const)('D67: %s of an agency are refused while %s has set aside something of it', async (list, scope) => {
  await recordDeadLetter(scope, derivedId('workspace', 'another agency'));
  await listed(list);
  await recordDeadLetter(scope);
  await expect(listed(list)).rejects.toMatchObject({ code: 'provider_unavailable' });
});

it.each([
  ['keys', keyListProjection],
  ['deliveries', deliveryListProjection],
  ['endpoints', endpointListProjection],
  ['impersonations', impersonationListProjection],
] as const)('D67: %s are refused if something is set aside directly after they were read', async (list, shown) => {
  const collection = await live.of(shown);
  const find = service.documents.find.bind(service.documents);
  service.documents.find = async (from, ...query) => {
    const found = await find<never>(from, ...query);
    if (from === collection) await recordDeadLetter(shown.name);
    return found;
  };
  await expect(listed(list)).rejects.toMatchObject({ code: 'provider_unavailable' });
});
