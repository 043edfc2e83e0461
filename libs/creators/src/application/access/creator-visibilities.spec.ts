import { beforeEach, expect, it, jest } from '@jest/globals';
import { derivedId } from '#kernel';
import { type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { fact, identityObserved, linked, mia } from '../../domain/creator.fixtures.js';
import { CreatorVisibilities } from './creator-visibilities.js';

let service: TestedContext;
let visibilities: CreatorVisibilities;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  visibilities = service.get(CreatorVisibilities);
  await service.creatorDid(mia, ...linked);
});

const ofMia = async () => (await visibilities.of([mia])).get(mia);

it('D9, D43, D72: says whether an agency can see a creator, and if not, why', async () => {
  expect(await ofMia()).toEqual({ kind: 'visible' });
  await service.creatorDid(mia, fact('memberNotFound', {}));
  expect(await ofMia()).toEqual({ kind: 'missing', since: service.clock.now() });
  await service.creatorDid(mia, fact('membershipEnded', {}));
  expect(await ofMia()).toEqual({ kind: 'ended' });
  await service.creatorDid(mia, fact('personalDataErased', {}));
  expect(await ofMia()).toEqual({ kind: 'erased' });
  const nobody = derivedId('creator', 'nobody');
  expect((await visibilities.of([nobody])).get(nobody)).toEqual({ kind: 'ended' });
});

it('reads each stream once, however long the texts of its creator are', async () => {
  const aliases = Array.from({ length: 300 }, (_, n) => `${n}`.padEnd(160, 'x'));
  const observed = identityObserved({ displayName: 'Mia', aliases, profiles: [] });
  const many = Array.from({ length: 200 }, (_, n) => derivedId('creator', `large ${n}`));
  for (const creator of many) await service.creatorDid(creator, ...linked, observed);
  await visibilities.of(many);
  const reads = jest.spyOn(service.log, 'readStream');
  await visibilities.of(many);
  expect(reads.mock.calls.filter(([, options]) => options?.from === 0)).toEqual([]);
});
