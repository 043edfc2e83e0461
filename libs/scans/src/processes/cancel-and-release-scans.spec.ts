import { beforeEach, describe, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { activated, activationRequested, fact, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { type ScansOfMia, scansOfMia } from '../application/scans-of-mia.fixtures.js';

let scans: ScansOfMia;

beforeEach(async () => {
  scans = await scansOfMia();
});

describe('a pause', () => {
  it('cancels the queued scan, which is then released', async () => {
    const scanId = await scans.queue();
    await scans.service.creatorDid(mia, paused);
    await scans.react();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    const [, cancelled] = await scans.service.log.readStream(streamName('scan', scanId));
    // The runner's name is stored.
    expect(cancelled?.metadata.actor).toBe(contextOfProcess('cancel-and-release-scans').actor);
    await scans.react();
    expect(await scans.pendingScan()).toBeUndefined();
  });

  it('does not cancel a scan that was queued after it, however late it is processed (D79)', async () => {
    await scans.service.creatorDid(mia, paused, activationRequested, activated);
    const scanId = await scans.queue();
    await scans.react();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'queued' });
  });

  it('cancels a scan that was queued before it, also if protection is active again (D79)', async () => {
    const scanId = await scans.queue();
    await scans.service.creatorDid(mia, paused, activationRequested, activated);
    await scans.react();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
  });

  it('does not cancel a dispatched scan', async () => {
    const scanId = await scans.queue();
    await scans.dispatch(scanId);
    await scans.service.creatorDid(mia, paused);
    await scans.react();
    expect(await scans.scan(scanId)).toMatchObject({ status: 'dispatching' });
    expect(await scans.pendingScan()).toBe(scanId);
  });

  it('of a creator without a scan changes nothing', async () => {
    await scans.service.creatorDid(mia, paused);
    const head = await scans.service.log.head();
    await scans.react();
    expect(await scans.service.log.head()).toBe(head);
  });
});

it('an erasure cancels what was queued before it, also without a pause (D72)', async () => {
  const scanId = await scans.queue();
  await scans.service.creatorDid(mia, fact('personalDataErased', {}));
  await scans.react();
  expect(await scans.scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
});

describe('the end of a scan', () => {
  it.each(['complete', 'fail', 'cancel'] as const)('releases it from the allowance, once: %s', async (end) => {
    const scanId = await scans.queue();
    if (end !== 'cancel') await scans.dispatch(scanId);
    expect(await scans.pendingScan()).toBe(scanId);
    await scans[end](scanId);
    await scans.react();
    await scans.react();
    expect(await scans.pendingScan()).toBeUndefined();
    expect(await scans.service.typesOf(streamName('scanAllowance', mia))).toEqual([
      'scanAllowance.scanAdmitted.v1',
      'scanAllowance.scanReleased.v1',
    ]);
  });

  it('leaves a later pending scan', async () => {
    const first = await scans.queue('first');
    await scans.dispatch(first);
    await scans.complete(first);
    const second = await scans.queue('second');
    await scans.react();
    expect(await scans.pendingScan()).toBe(second);
  });
});
