import { beforeEach, describe, expect, it } from '@jest/globals';
import { DueWork } from '#jobs';
import { type Position, Progress } from '#kernel';
import { contextOf, scope, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { linked, mia } from '../../domain/creator.fixtures.js';
import { MemberRecords } from './member-records.js';
import { RequestSynchronizations } from './request-synchronizations.js';

let service: TestedContext;
beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  await service.creatorDid(mia, ...linked);
});

/** Read models that stand there. No time passes; each read of the clock is two seconds later. */
const readModelsAt = (position: Position) => {
  let elapsed = 0;
  const progress = new Progress({ checkpoint: async (name) => ({ name, position, fence: 1 }) }, () => {
    elapsed += 2_000;
    return elapsed;
  });
  const dueWork = new DueWork(service.documents, async () => 'due', 'test/1/1/');
  const options = { providerTimeout: 60_000, syncEvery: 60_000 };
  const requests = new RequestSynchronizations(options, dueWork, service.clock);
  return new MemberRecords(service.creators, requests, progress);
};

/** A list that was synchronized within the request, and one that shows what the worker has recorded. */
const lists = {
  synchronize: (records: MemberRecords, recordedAt: Position) => {
    const context = contextOf();
    return records.synchronize('cases', mia, scope, context, async () => {
      context.consistencyToken.advanceTo(recordedAt);
      return 'synchronized';
    });
  },
  confirm: (records: MemberRecords, recordedAt: Position) => {
    const context = contextOf();
    context.consistencyToken.advanceTo(recordedAt);
    service.memberships.confirm(mia, service.clock.now());
    return records.confirm(mia, scope, context);
  },
};

describe.each(['synchronize', 'confirm'] as const)('D80: %s', (way) => {
  it('refuses a list whose read models do not have all that was recorded', async () => {
    const head = await service.log.head();
    const refused = { code: 'provider_unavailable', retryAfterSeconds: 1 };
    await expect(lists[way](readModelsAt(head), head + 1)).rejects.toMatchObject(refused);
  });

  it('lets a list pass whose read models have it', async () => {
    const head = await service.log.head();
    await expect(lists[way](readModelsAt(head + 1), head + 1)).resolves.toBeUndefined();
  });
});
