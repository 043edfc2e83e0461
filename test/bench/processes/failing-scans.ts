import { type CreatorId, derivedId, processContext, type WorkspaceId } from '#kernel';
import { type ScanEvent, scanDecider } from '#scans';
import type { Services } from '../../support/open-service.js';

/** A scan that fails, with one event in the feed. Each number makes another scan. */
export const failScan = async (
  { runner }: Services,
  workspaceId: WorkspaceId,
  creatorId: CreatorId,
  number: number,
): Promise<void> => {
  const scanId = derivedId('scan', creatorId, number);
  const context = processContext('bench', workspaceId, { id: scanId, correlationId: 'bench' });
  await runner.run(scanDecider, scanId, context, (_, now): ScanEvent[] => [
    { type: 'scan.failed.v1', data: { scanId, creatorId, jobId: null, finishedAt: now, errorCode: 'nothing_to_scan' } },
  ]);
};

const CONCURRENCY = 100;

export const failScans = async (
  services: Services,
  workspaceId: WorkspaceId,
  creatorId: CreatorId,
  count: number,
): Promise<void> => {
  for (let begun = 0; begun < count; begun += CONCURRENCY) {
    const some = Array.from({ length: Math.min(CONCURRENCY, count - begun) }, (_, index) => begun + index);
    await Promise.all(some.map((number) => failScan(services, workspaceId, creatorId, number)));
  }
};
