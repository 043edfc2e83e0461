import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ScanId, streamName } from '#kernel';
import { mia } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf } from '../../../testing/src/tested-context.js';
import { ReleaseScan } from './release-scan.js';
import { type ScansOfMia, scansOfMia } from './scans-of-mia.fixtures.js';

let scans: ScansOfMia;

beforeEach(async () => {
  scans = await scansOfMia();
});

const release = (scanId: ScanId) => scans.commands.execute(new ReleaseScan(mia, scanId, contextOf()));

describe('the allowance of a creator', () => {
  it('is released once, when the scan has ended', async () => {
    const scanId = await scans.queue();
    await scans.dispatch(scanId);
    expect(await scans.pendingScan()).toBe(scanId);
    await scans.complete(scanId);
    await release(scanId);
    await release(scanId);
    expect(await scans.pendingScan()).toBeUndefined();
    expect(await scans.service.typesOf(streamName('scanAllowance', mia))).toEqual([
      'scanAllowance.scanAdmitted.v1',
      'scanAllowance.scanReleased.v1',
    ]);
  });

  it('keeps its pending scan when the end of an earlier one is processed', async () => {
    const first = await scans.queue('first');
    await scans.dispatch(first);
    await scans.complete(first);
    const second = await scans.queue('second');
    await release(first);
    expect(await scans.pendingScan()).toBe(second);
  });

  it('is released after a cancellation', async () => {
    const scanId = await scans.queue();
    await scans.cancel(scanId);
    await release(scanId);
    expect(await scans.pendingScan()).toBeUndefined();
  });
});
