import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseId, derivedId, ERASED, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { CaseEvent } from '../domain/case.js';
import { type CaseOfCreator, CasesOfCreators, casesOfCreatorsProjection } from './cases-of-creators.js';

const creatorId = derivedId('creator', 'mia');
const scanId = derivedId('scan', 'one');
const caseId = derivedId('case', 'a');

let cases: Projecting<CaseOfCreator, CaseEvent>;
beforeEach(() => {
  cases = new Projecting<CaseOfCreator, CaseEvent>(casesOfCreatorsProjection);
});

const about = { caseId, creatorId };
const finding = (statusCode: string, url = 'https://www.Leaks.example/Mia?a=1') => ({
  ...{ status: 'gefunden', statusCode, actionable: true, deadOnArrival: null, createdAt: 10, updatedAt: 20 },
  personal: { url },
});
const record = (event: CaseEvent) => cases.record(streamName('case', caseId), event);
const open = (url?: string) =>
  record({
    type: 'case.opened.v1',
    data: { ...about, workspaceId, leakId: '1', scanId: null, ...finding('found', url) },
  });
const entry = (id: CaseId = caseId) => cases.get(id);

describe('a case on the dashboard', () => {
  it('is listed by the time at which it was first seen, with its site and its URL without a scheme', async () => {
    await open();
    expect(await entry()).toMatchObject({
      ...{ workspaceId, creatorId, order: `000000000000010:${caseId}`, status: 'found', isOpen: 1 },
      ...{ site: 'www.leaks.example', source: 'svc', url: 'leaks.example/mia?a=1' },
    });
  });

  it('is open until it is gone, removed or ignored', async () => {
    await open();
    await record({ type: 'case.changed.v1', data: { ...about, ...finding('removed') } });
    expect(await entry()).toMatchObject({ status: 'removed', isOpen: 0 });
    await record({ type: 'case.changed.v1', data: { ...about, ...finding('another') } });
    expect(await entry()).toMatchObject({ status: 'another', isOpen: 1 });
    await record({ type: 'case.removed.v1', data: about });
    expect(await entry()).toMatchObject({ status: 'gone', isOpen: 0 });
    await record({ type: 'case.restored.v1', data: { ...about, ...finding('found') } });
    await record({ type: 'case.attributed.v1', data: { ...about, scanId } });
    expect(await entry()).toMatchObject({ status: 'found', isOpen: 1, source: 'api_scan' });
  });

  it('D72: has no URL after an erasure', async () => {
    await open(ERASED);
    expect(await entry()).toMatchObject({ site: '', url: '' });
  });

  it('is counted with those of its creator, unless the list lacks something (D67)', async () => {
    await open();
    const counts = (isComplete: boolean) => {
      const [readModels, deadLetters] = [{ of: () => cases.readModel }, { isComplete: async () => isComplete }];
      return new CasesOfCreators(readModels as never, {} as never, deadLetters as never).openCounts(workspaceId, [
        derivedId('creator', 'zoe'),
        creatorId,
      ]);
    };
    expect(await counts(true)).toEqual([0, 1]);
    await expect(counts(false)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('is not created by an event without its opening', async () => {
    await record({ type: 'case.changed.v1', data: { ...about, ...finding('found') } });
    await record({ type: 'case.removed.v1', data: about });
    expect(await cases.all()).toEqual([]);
  });
});
