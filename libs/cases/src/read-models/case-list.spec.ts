import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseId, derivedId, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { CaseEvent } from '../domain/case.js';
import { type CaseDocument, CaseList, caseListProjection } from './case-list.js';

const mia = derivedId('creator', 'mia');
const scanId = derivedId('scan', 'one');
const first = derivedId('case', 'a');

let cases: Projecting<CaseDocument, CaseEvent>;
let list: CaseList;
beforeEach(() => {
  cases = new Projecting(caseListProjection);
  list = new CaseList(cases.readModel);
});

const finding = {
  url: 'https://leaks.example/1',
  status: 'gefunden',
  statusCode: 'found',
  actionable: true,
  deadOnArrival: null,
  createdAt: 10,
  updatedAt: 20,
};
const record = ({ url, ...rest }: typeof finding) => ({ ...rest, personal: { url } });

const open = (caseId: CaseId, creatorId = mia) =>
  cases.record(streamName('case', caseId), {
    type: 'case.opened.v1',
    data: { caseId, creatorId, workspaceId, leakId: `leak of ${caseId}`, scanId: null, ...record(finding) },
  });
const about = { caseId: first, creatorId: mia };
const rowOf = async (caseId: CaseId) => (await list.getMany([caseId])).get(caseId);
const then = (event: CaseEvent) => cases.record(streamName('case', first), event);

describe('a case', () => {
  const opened = {
    id: first,
    caseId: first,
    creatorId: mia,
    leakId: `leak of ${first}`,
    scanId: null,
    available: true,
    finding,
  };

  it('is listed as it was found', async () => {
    await open(first);
    expect(await rowOf(first)).toEqual({ ...opened, position: 2 });
  });

  it('follows later observations', async () => {
    await open(first);
    const changed = { ...finding, statusCode: 'submitted', updatedAt: 30 };
    await then({ type: 'case.changed.v1', data: { ...about, ...record(changed) } });
    expect(await rowOf(first)).toEqual({ ...opened, finding: changed, position: 4 });
    await then({ type: 'case.attributed.v1', data: { ...about, scanId } });
    await then({ type: 'case.removed.v1', data: about });
    expect(await rowOf(first)).toMatchObject({ scanId, available: false, finding: changed });
    await then({ type: 'case.restored.v1', data: { ...about, ...record(finding) } });
    expect(await rowOf(first)).toEqual({ ...opened, scanId, position: 10 });
  });

  it('is not created by an event without its opening', async () => {
    await then({ type: 'case.changed.v1', data: { ...about, ...record(finding) } });
    await then({ type: 'case.attributed.v1', data: { ...about, scanId } });
    await then({ type: 'case.removed.v1', data: about });
    await then({ type: 'case.restored.v1', data: { ...about, ...record(finding) } });
    expect(await cases.all()).toEqual([]);
  });
});
