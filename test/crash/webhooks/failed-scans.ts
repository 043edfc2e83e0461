import { type CreatorId, derivedId, processContext, type WorkspaceId } from '#kernel';
import { type ScanEvent, scanDecider } from '#scans';
import type { Services } from '../../support/open-service.js';

const CONCURRENCY = 50;

/** Scans that fail, each with one event in the feed: nothing at the platform contradicts them. */
export const failScans = async (
  { runner }: Services,
  { workspaceId, creatorId }: { readonly workspaceId: WorkspaceId; readonly creatorId: CreatorId },
  count: number,
  /** The number of the first one; each number is one scan. */
  first = 0,
): Promise<void> => {
  const fail = async (number: number) => {
    const scanId = derivedId('scan', creatorId, number);
    const context = processContext('crash-test', workspaceId, { id: scanId, correlationId: 'crash-test' });
    await runner.run(scanDecider, scanId, context, (_, now): ScanEvent[] => [
      {
        type: 'scan.failed.v1',
        data: { scanId, creatorId, jobId: null, finishedAt: now, errorCode: 'nothing_to_scan' },
      },
    ]);
  };
  for (let begun = 0; begun < count; begun += CONCURRENCY) {
    await Promise.all(
      Array.from({ length: Math.min(CONCURRENCY, count - begun) }, (_, index) => fail(first + begun + index)),
    );
  }
};
