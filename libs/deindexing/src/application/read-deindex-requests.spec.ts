import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, derivedId, SECOND } from '#kernel';
import type { FakeSearch } from '#testing';
import { mia, miaUser } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, scope, type TestedContext } from '../../../testing/src/tested-context.js';
import { requestedDeindexing, requestId } from '../deindexing.fixtures.js';
import { AdvanceDeindexRequest } from './advance-deindex-request.js';
import { ObserveDeindexRequest } from './read-deindex-requests.js';

const unavailable = new DomainError('provider_unavailable');

let service: TestedContext;
let search: FakeSearch;

beforeEach(async () => {
  const options = { pollEvery: SECOND, providerTimeout: 0 };
  ({ service, search } = await requestedDeindexing(options));
});

const observe = (by = scope) => service.commands.execute(new ObserveDeindexRequest(requestId, by, contextOf()));
const advance = () => service.commands.execute(new AdvanceDeindexRequest(requestId, contextOf()));

describe('observing a deindex request', () => {
  it('does not call the provider while it waits or after it is settled', async () => {
    expect(await observe()).toMatchObject({ status: 'queued' });
    await advance();
    search.progress(requestId, { status: 'removed', submittedToProvider: true, removalVerified: true });
    expect(await observe()).toMatchObject({ status: 'completed', removalVerified: true });
    search.failure = unavailable;
    expect(await observe()).toMatchObject({ status: 'completed' });
    expect(search.lookups).toBe(1);
  });

  it('D36: fails with the provider', async () => {
    await advance();
    search.failure = unavailable;
    await expect(observe()).rejects.toBe(unavailable);
  });

  it('treats a record that does not exist yet as a call in progress, and one that has vanished as lost', async () => {
    search.failNext({ outcome: 'lost', arrived: false });
    await expect(advance()).rejects.toThrow();
    expect(await observe()).toMatchObject({ status: 'uncertain' });
    await advance();
    search.lose(requestId);
    expect(await observe()).toMatchObject({ status: 'uncertain' });
    expect(search.calls).toHaveLength(2);
  });

  it('D9: is not for others, nor of a creator that has left', async () => {
    const elsewhere = { ...scope, workspaceId: derivedId('workspace', 'other') };
    await expect(observe(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    service.platform.users.delete(miaUser);
    await service.creators.reportMissing(mia, contextOf());
    await expect(observe()).rejects.toMatchObject({ code: 'not_found' });
  });
});
