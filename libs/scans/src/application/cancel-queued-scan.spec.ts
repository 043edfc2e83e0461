import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Position, streamName } from '#kernel';
import { activated, activationRequested, fact, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf } from '../../../testing/src/tested-context.js';
import { CancelQueuedScan } from './cancel-queued-scan.js';
import { ReleaseScan } from './release-scan.js';
import { type ScansOfMia, scansOfMia } from './scans-of-mia.fixtures.js';

let scans: ScansOfMia;

beforeEach(async () => {
  scans = await scansOfMia();
});

const positionOf = async (type: string): Promise<Position> => {
  const events = await scans.service.log.readStream(streamName('creator', mia));
  const event = events.find((recorded) => recorded.type === type);
  if (event === undefined) throw new Error(`no ${type}`);
  return event.position;
};
const cancelQueuedBefore = async (type: string) =>
  scans.commands.execute(new CancelQueuedScan(mia, await positionOf(type), contextOf()));
const cancelQueuedBeforePause = () => cancelQueuedBefore('creator.protectionPaused.v1');

describe('a pause', () => {
  it('cancels the queued scan', async () => {
    const scanId = await scans.queue();
    await scans.service.creatorDid(mia, paused);
    await cancelQueuedBeforePause();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    await scans.commands.execute(new ReleaseScan(mia, scanId, contextOf()));
    expect(await scans.pendingScan()).toBeUndefined();
  });

  it('does not cancel a scan that was queued after it, however late it is processed (D79)', async () => {
    await scans.service.creatorDid(mia, paused, activationRequested, activated);
    const scanId = await scans.queue();
    await cancelQueuedBeforePause();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'queued' });
  });

  it('cancels a scan that was queued before it, also if protection is active again (D79)', async () => {
    const scanId = await scans.queue();
    await scans.service.creatorDid(mia, paused, activationRequested, activated);
    await cancelQueuedBeforePause();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
  });

  it('of a creator whose data was erased cancels with that reason (D72)', async () => {
    const scanId = await scans.queue();
    await scans.service.creatorDid(mia, paused, fact('personalDataErased', {}));
    await cancelQueuedBeforePause();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
  });

  it('does not cancel a dispatched scan', async () => {
    const scanId = await scans.queue();
    await scans.dispatch(scanId);
    await scans.service.creatorDid(mia, paused);
    await cancelQueuedBeforePause();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'dispatching' });
    expect(await scans.pendingScan()).toBe(scanId);
  });

  it('of a creator without a scan changes nothing', async () => {
    await scans.service.creatorDid(mia, paused);
    const head = await scans.service.log.head();
    await cancelQueuedBeforePause();
    expect(await scans.service.log.head()).toBe(head);
  });
});

it('an erasure cancels what was queued before it, also without a pause (D72)', async () => {
  const scanId = await scans.queue();
  await scans.service.creatorDid(mia, fact('personalDataErased', {}));
  await cancelQueuedBefore('creator.personalDataErased.v1');
  expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
});
