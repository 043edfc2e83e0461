import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommandTasks } from '#jobs';
import { DomainError, derivedId, LanePositions, type Position } from '#kernel';
import { Gate, settled } from '#testing';
import { given } from '../../../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { linked, mia } from '../../domain/creator.fixtures.js';
import { CreatorsOptions } from '../access/creator-ports.js';
import { NativeRecordSync } from './native-record-sync.js';

const LONG = 60_000;
const BUDGET = 30;
const eve = derivedId('creator', 'eve');

let service: TestedContext;
/** The tasks that the worker was asked to run now. */
let left: string[];
let readModelsAt: Position;
const options = { providerTimeout: LONG, syncEvery: LONG };

beforeEach(async () => {
  left = [];
  service = await testedContext(
    [CreatorsModule],
    [given(LanePositions, readModelsProgress()), given(CreatorsOptions, options)],
  );
  service.get(CommandTasks).runNow = async (id) => {
    left.push(id);
  };
  for (const creatorId of [mia, eve]) await service.creatorDid(creatorId, ...linked);
});

/** No time passes; each read of the clock is two seconds later. */
const readModelsProgress = () => {
  let elapsed = 0;
  return new LanePositions({ checkpoint: async (name) => ({ name, position: readModelsAt, fence: 1 }) }, () => {
    elapsed += 2_000;
    return elapsed;
  });
};

/** The read models stand there. */
const recordsWith = (at: Position, providerTimeout = LONG) => {
  readModelsAt = at;
  options.providerTimeout = providerTimeout;
  return service.get(NativeRecordSync);
};

const EVERYTHING: Position = 1_000_000;

describe('D80: a synchronization within a request', () => {
  it('is joined by later requests, which answer no earlier than its position', async () => {
    const records = recordsWith(EVERYTHING);
    const gate = new Gate();
    let runs = 0;
    const contexts = [contextOf(), contextOf(), contextOf()];
    const all = contexts.map((context) =>
      records.synchronize('cases', mia, scope, context, async () => {
        runs++;
        await gate.opened;
        context.consistencyToken.advanceTo(700);
        return 'synchronized';
      }),
    );
    await settled();
    gate.open();
    await Promise.all(all);
    expect(runs).toBe(1);
    expect(contexts.map(({ consistencyToken }) => consistencyToken.position)).toEqual([700, 700, 700]);
  });

  it('is not joined by one that comes after its end, nor by one of another kind or for another creator', async () => {
    const records = recordsWith(EVERYTHING);
    let runs = 0;
    const once = (kind: 'cases' | 'impersonations', creatorId = mia) =>
      records.synchronize(kind, creatorId, scope, contextOf(), async () => {
        runs++;
        return 'synchronized';
      });
    await Promise.all([once('cases'), once('impersonations'), once('cases', eve)]);
    await settled();
    await once('cases');
    expect(runs).toBe(4);
  });

  it('gives its outcome to all who joined it', async () => {
    const records = recordsWith(EVERYTHING);
    const refused = async () => {
      await settled();
      throw new DomainError('provider_unavailable');
    };
    const all = [1, 2].map(() => records.synchronize('cases', mia, scope, contextOf(), refused));
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('is provider_timeout beyond its budget, stops there, and leaves the rest to the worker, once', async () => {
    const records = recordsWith(EVERYTHING, BUDGET);
    const stopped = new Gate();
    const all = [1, 2].map(() =>
      records.synchronize('cases', mia, scope, contextOf(), async (_creator, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        stopped.open();
        signal.throwIfAborted();
        return 'synchronized';
      }),
    );
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'provider_timeout' });
    await stopped.opened;
    expect(left).toEqual([`caseWalk-${mia}`]);
  });

  it('ends before another begins, even if its budget is used up', async () => {
    const records = recordsWith(EVERYTHING, BUDGET);
    const platformAnswers = new Gate();
    let underWay = 0;
    const slow = () =>
      records.synchronize('cases', mia, scope, contextOf(), async () => {
        expect(++underWay).toBe(1);
        await platformAnswers.opened;
        underWay--;
        return 'synchronized';
      });
    await expect(slow()).rejects.toMatchObject({ code: 'provider_timeout' });
    await expect(slow()).rejects.toMatchObject({ code: 'provider_timeout' });
    platformAnswers.open();
    await settled();
    await expect(slow()).resolves.toBeUndefined();
  });
});

/** A list that was synchronized within the request, and one that shows what the worker has recorded. */
const lists = {
  synchronize: (records: NativeRecordSync, recordedAt: Position) => {
    const context = contextOf();
    return records.synchronize('cases', mia, scope, context, async () => {
      context.consistencyToken.advanceTo(recordedAt);
      return 'synchronized';
    });
  },
  confirm: (records: NativeRecordSync, recordedAt: Position) => {
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
    await expect(lists[way](recordsWith(head), head + 1)).rejects.toMatchObject(refused);
  });

  it('lets a list pass whose read models have it', async () => {
    const head = await service.log.head();
    await expect(lists[way](recordsWith(head + 1), head + 1)).resolves.toBeUndefined();
  });
});
