import { expect, it } from '@jest/globals';
import { contextOf, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { linked, mia, standingObserved } from '../../domain/creator.fixtures.js';
import { RecordAuthorizationLapse } from './observe-creator.js';

it('the end of an authorization is recorded once it has passed by the clock, and once only (D40)', async () => {
  const service = await testedContext([CreatorsModule]);
  const lapse = () => service.commands.execute(new RecordAuthorizationLapse(mia, contextOf()));
  const since = service.clock.now();
  const expiresAt = new Date(since + 10).toISOString();
  const until = standingObserved({ authorization: { approved: true, status: 'approved', expiresAt } });
  await service.creatorDid(mia, ...linked, until);
  service.clock.set(since + 9);
  await lapse();
  expect((await service.creators.recorded(mia)).state).toMatchObject({ hasLapsed: false });
  service.clock.set(since + 10);
  await lapse();
  const head = await service.log.head();
  expect(await lapse()).toBe('idle');
  expect((await service.creators.recorded(mia)).state).toMatchObject({ hasLapsed: true });
  expect(await service.log.head()).toBe(head);
});
