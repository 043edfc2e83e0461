import { derivedId, newEventId, type ScanId, streamName } from '#kernel';
import type { ScanEvent } from '#scans';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Services } from '../../support/open-service.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface GetScanSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
}

export interface GetScanReady {
  readonly url: string;
  readonly key: string;
  readonly scanIds: readonly string[];
}

/** The real API, over one finished scan for each creator. */
const { dir, sandbox } = await settingsOf<GetScanSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
const key = await issueKey(services);
const creatorIds = await activeCreators(services, sandbox.userIds);

const completedScan = async ({ log }: Services, creatorId: (typeof creatorIds)[number]): Promise<ScanId> => {
  const scanId = derivedId('scan', creatorId, 'bench');
  const workspaceId = derivedId('workspace', AGENCY);
  const about = { scanId, creatorId };
  const jobId = `job_${creatorId}`;
  const facts: ScanEvent[] = [
    { type: 'scan.queued.v1', data: { ...about, agencyId: AGENCY, workspaceId, source: 'manual' } },
    { type: 'scan.dispatchStarted.v1', data: { ...about, personal: { handles: [] } } },
    { type: 'scan.started.v1', data: { ...about, jobId } },
    { type: 'scan.completed.v1', data: { ...about, jobId, finishedAt: Date.now(), errorCode: null } },
  ];
  const metadata = { at: Date.now(), correlationId: 'bench', causationId: null, actor: 'process:bench', workspaceId };
  const events = facts.map((fact) => ({ id: newEventId(), ...fact, metadata }));
  await log.append(streamName('scan', scanId), 'none', events);
  return scanId;
};

const scanIds = await Promise.all(creatorIds.map((creatorId) => completedScan(services, creatorId)));
const api = await service.startApi();
sendToParent({ url: api.url, key, scanIds } satisfies GetScanReady);
