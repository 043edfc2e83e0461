import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, streamName } from '#kernel';
import { mia } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf } from '../../../testing/src/tested-context.js';
import { CompleteScanAdmission, ScanQueue } from './queue-scan.js';
import { QueueScheduledScan } from './queue-scheduled-scan.js';
import { type ScansOfMia, scansOfMia } from './scans-of-mia.fixtures.js';

let scans: ScansOfMia;

beforeEach(async () => {
  scans = await scansOfMia();
});

const completeAdmission = () => scans.commands.execute(new CompleteScanAdmission(mia, contextOf()));

describe('an admission that a crash left without its scan', () => {
  it('gets the scan that was admitted, once', async () => {
    const { service } = scans;
    const open = service.get(ScanQueue).open;
    service.get(ScanQueue).open = () => Promise.reject(new Error('the process is no more'));
    await expect(scans.queue()).rejects.toThrow('no more');
    service.get(ScanQueue).open = open;
    const admitted = await scans.pendingScan();
    await completeAdmission();
    expect(await completeAdmission()).toBe('done');
    expect(await service.typesOf(streamName('scan', admitted ?? ''))).toEqual(['scan.queued.v1']);
    expect(await scans.queue()).toBe(admitted);
  });

  it('is released if it is set aside, does not count, and may be repeated (D87)', async () => {
    const { service } = scans;
    const open = service.get(ScanQueue).open;
    service.get(ScanQueue).open = () => Promise.reject(new Error('the process is no more'));
    await expect(scans.queue()).rejects.toThrow('no more');
    service.get(ScanQueue).open = open;
    const admitted = await scans.pendingScan();
    const endDeadLetter = () => scans.commands.execute(new CompleteScanAdmission(mia, contextOf(), true));
    expect(await endDeadLetter()).toBe('idle');
    expect(await scans.pendingScan()).toBeUndefined();
    expect(await scans.queue()).toBe(admitted);
    // Its own events go on with a scan that has a stream.
    await endDeadLetter();
    expect(await scans.pendingScan()).toBe(admitted);
  });

  it('needs nothing if no scan is pending', async () => {
    expect(await completeAdmission()).toBe('idle');
  });

  it('releases a scheduled scan that was admitted again after its end', async () => {
    const { service, pendingScan } = scans;
    service.clock.advance(DAY);
    const queueScheduled = () => scans.commands.execute(new QueueScheduledScan(mia, undefined, contextOf()));
    await queueScheduled();
    const scheduled = await pendingScan();
    if (scheduled === undefined) throw new Error('no scan was due');
    await scans.dispatch(scheduled);
    await scans.complete(scheduled);
    await scans.react();
    expect(await pendingScan()).toBeUndefined();
    // The worker that queued it died before it recorded its next due time.
    await queueScheduled();
    expect(await pendingScan()).toBe(scheduled);
    expect(await completeAdmission()).toBe('idle');
    expect(await pendingScan()).toBeUndefined();
  });
});
