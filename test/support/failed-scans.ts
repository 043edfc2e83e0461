import { type CreatorId, derivedId, processContext, type WorkspaceId } from '#kernel';
import { type ScanEvent, scanDecider } from '#scans';
import type { Services } from './open-service.js';

interface About {
  readonly workspaceId: WorkspaceId;
  readonly creatorId: CreatorId;
}

/** A scan that fails, with one event in the feed; nothing at the platform contradicts it. Each number is another scan. */
export const failScan = async ({ runner }: Services, { workspaceId, creatorId }: About, number: number) => {
  const scanId = derivedId('scan', creatorId, number);
  const context = processContext('test', workspaceId, { id: scanId, correlationId: 'test' });
  await runner.run(scanDecider, scanId, context, (_, now): ScanEvent[] => [
    { type: 'scan.failed.v1', data: { scanId, creatorId, jobId: null, finishedAt: now, errorCode: 'nothing_to_scan' } },
  ]);
};

const CONCURRENCY = 100;

/** `first` is the number of the first one. */
export const failScans = async (services: Services, about: About, count: number, first = 0): Promise<void> => {
  for (let begun = 0; begun < count; begun += CONCURRENCY) {
    const some = Array.from({ length: Math.min(CONCURRENCY, count - begun) }, (_, index) => first + begun + index);
    await Promise.all(some.map((number) => failScan(services, about, number)));
  }
};
