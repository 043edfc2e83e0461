import { beforeEach, describe, expect, it } from '@jest/globals';
import { DueWork } from '#jobs';
import { type CommandContext, ConsistencyToken, DomainError, derivedId } from '#kernel';
import { FakeClock, Gate, InMemoryDocumentStore, settled } from '#testing';
import { mia, workspaceId } from '../../domain/creator.fixtures.js';
import { RequestSynchronizations } from './request-synchronizations.js';

const BUDGET = 30;
const LONG = 60_000;
const eve = derivedId('creator', 'eve');

const aContext = (): CommandContext => ({
  actor: 'key:test',
  correlationId: 'req',
  causationId: null,
  workspaceId,
  consistencyToken: new ConsistencyToken(),
});

/** What the worker was asked to do soon. */
let left: (readonly [kind: string, creator: string])[];
const within = (providerTimeout: number) => {
  const dueWork = new DueWork(new InMemoryDocumentStore(), async () => 'due', 'test/1/1/');
  dueWork.expedite = async (kind, creatorId) => {
    left.push([kind, creatorId]);
  };
  return new RequestSynchronizations({ providerTimeout, syncEvery: LONG }, dueWork, new FakeClock());
};
beforeEach(() => {
  left = [];
});

describe('D80: a synchronization within a request', () => {
  it('is joined by later requests, which answer no earlier than its position', async () => {
    const requests = within(LONG);
    const gate = new Gate();
    let runs = 0;
    const contexts = [aContext(), aContext(), aContext()];
    const all = contexts.map((context) =>
      requests.run('cases', mia, context, async () => {
        runs++;
        await gate.opened;
        context.consistencyToken.advanceTo(7);
        return 'synchronized';
      }),
    );
    await settled();
    gate.open();
    expect(await Promise.all(all)).toEqual(['synchronized', 'synchronized', 'synchronized']);
    expect(runs).toBe(1);
    expect(contexts.map(({ consistencyToken }) => consistencyToken.position)).toEqual([7, 7, 7]);
  });

  it('is not joined by one that comes after its end, nor by one of another kind or for another creator', async () => {
    const requests = within(LONG);
    let runs = 0;
    const once = (kind: 'cases' | 'impersonations', creatorId = mia) =>
      requests.run(kind, creatorId, aContext(), async () => {
        runs++;
        return 'synchronized';
      });
    await Promise.all([once('cases'), once('impersonations'), once('cases', eve)]);
    await settled();
    await once('cases');
    expect(runs).toBe(4);
  });

  it('gives its outcome to all who joined it', async () => {
    const requests = within(LONG);
    const refused = async () => {
      await settled();
      throw new DomainError('provider_unavailable');
    };
    const all = [1, 2].map(() => requests.run('cases', mia, aContext(), refused));
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('is provider_timeout beyond its budget, stops there, and leaves the rest to the worker, once', async () => {
    const requests = within(BUDGET);
    const stopped = new Gate();
    const all = [1, 2].map(() =>
      requests.run('cases', mia, aContext(), async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        stopped.open();
        signal.throwIfAborted();
        return 'synchronized';
      }),
    );
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'provider_timeout' });
    await stopped.opened;
    expect(left).toEqual([['caseWalk', mia]]);
  });

  it('ends before another begins, even if its budget is used up', async () => {
    const requests = within(BUDGET);
    const platformAnswers = new Gate();
    let underWay = 0;
    const slow = () =>
      requests.run('cases', mia, aContext(), async () => {
        expect(++underWay).toBe(1);
        await platformAnswers.opened;
        underWay--;
        return 'synchronized';
      });
    await expect(slow()).rejects.toMatchObject({ code: 'provider_timeout' });
    await expect(slow()).rejects.toMatchObject({ code: 'provider_timeout' });
    platformAnswers.open();
    await settled();
    expect(await slow()).toBe('synchronized');
  });
});
