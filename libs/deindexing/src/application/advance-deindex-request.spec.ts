import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, HOUR, SECOND } from '#kernel';
import type { FakeSearch } from '#testing';
import { agency, miaUser } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, type TestedContext } from '../../../testing/src/tested-context.js';
import { requestedDeindexing, requestId } from '../deindexing.fixtures.js';
import type { DeindexRequest } from '../domain/deindex-request.js';
import { AdvanceDeindexRequest } from './advance-deindex-request.js';

const unavailable = new DomainError('provider_unavailable');

let service: TestedContext;
let search: FakeSearch;
let shown: () => Promise<DeindexRequest>;

beforeEach(async () => {
  const options = { pollEvery: SECOND, providerTimeout: 0 };
  ({ service, search, shown } = await requestedDeindexing(options));
});

const advance = async () => {
  await service.commands.execute(new AdvanceDeindexRequest(requestId, contextOf()));
  return shown();
};

describe('advancing a deindex request', () => {
  const order = { reference: requestId, agencyId: agency, userId: miaUser, leakId: 'leak-1' };

  it('hands it over under its id, as it was requested, and follows its record', async () => {
    await advance();
    expect(search.orders).toEqual([{ ...order, url: 'https://leaks.example/leak-1' }]);
    search.progress(requestId, { status: 'submitted', submittedToProvider: true });
    expect(await advance()).toMatchObject({ status: 'submitted', submittedToProvider: true });
    expect(search.orders).toHaveLength(1);
  });

  it.each([true, false])(
    'D47: a request of unknown outcome is looked up before it is sent again (%s)',
    async (arrived) => {
      search.failNext({ outcome: 'lost', arrived });
      await expect(advance()).rejects.toMatchObject({ code: 'provider_timeout' });
      expect(await shown()).toMatchObject({
        status: 'uncertain',
        submittedToProvider: false,
      });
      expect(await advance()).toMatchObject({ status: 'queued' });
      expect([search.lookups, search.orders.length]).toEqual([1, arrived ? 1 : 2]);
    },
  );

  it('D47: a lookup that fails sends nothing, and the 72 hours continue', async () => {
    search.failNext({ outcome: 'lost', arrived: true });
    await expect(advance()).rejects.toThrow();
    search.failure = unavailable;
    await expect(advance()).rejects.toBe(unavailable);
    service.clock.advance(72 * HOUR);
    await expect(advance()).rejects.toBe(unavailable);
    expect(await shown()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
    expect(search.orders).toHaveLength(1);
  });

  it('of whose record the provider says nothing is uncertain, and continues when it can be asked', async () => {
    await advance();
    search.failure = unavailable;
    await expect(advance()).rejects.toBe(unavailable);
    expect(await shown()).toMatchObject({ status: 'uncertain' });
    search.failure = undefined;
    await advance();
    expect(await shown()).toMatchObject({ status: 'queued' });
    expect(search.orders).toHaveLength(1);
  });

  it('D47: a record that vanished is looked up, and not submitted again', async () => {
    await advance();
    search.lose(requestId);
    expect(await advance()).toMatchObject({ status: 'uncertain' });
    expect(await advance()).toMatchObject({ status: 'uncertain' });
    expect(search.orders).toHaveLength(1);
    service.clock.advance(72 * HOUR);
    expect(await advance()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
  });

  it('D47: a record that vanished fails after 72 hours, also if the provider cannot be asked', async () => {
    await advance();
    search.lose(requestId);
    await advance();
    search.failure = unavailable;
    service.clock.advance(72 * HOUR);
    await expect(advance()).rejects.toBe(unavailable);
    expect(await shown()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
  });

  it('D51: a refusal ends it', async () => {
    search.failNext({ outcome: 'refused', code: 'not_deindexable' });
    expect(await advance()).toMatchObject({ status: 'rejected', errorCode: 'not_deindexable' });
    await advance();
    expect([search.orders.length, search.lookups]).toEqual([1, 0]);
  });

  it('without a provider intends nothing, and stays queued (D79)', async () => {
    search.configured = false;
    await advance();
    expect(await shown()).toMatchObject({ status: 'queued', dispatchedAt: null });
  });
});
