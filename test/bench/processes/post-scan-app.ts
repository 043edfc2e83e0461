import { ALL_PROJECTIONS, dueWorkProjection, VIEWS } from '#contexts';
import { DUE_WORK_INDEXES } from '#jobs';
import type { StoredDueItem } from '#kernel';
import { READ_MODELS } from '#projections';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Services } from '../../support/open-service.js';
import type { AppSettings } from '../accepted-loads.js';
import { activeCreators, issueKey } from './bench-agency.js';
import { openBenchService } from './service.js';

export interface PostScanReady {
  readonly url: string;
  readonly key: string;
  readonly creatorIds: readonly string[];
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Api and worker, with active creators of which nothing else is to be done for an hour. */
const { dir, stores, sandbox } = await settingsOf<AppSettings>();
const service = await openBenchService(dir, stores, sandbox);
const { services } = service;
const key = await issueKey(services);
const creatorIds = await activeCreators(services, sandbox.userIds);

const postponeAll = async ({ log, documents, dueWork, live, rebuild }: Services): Promise<void> => {
  await rebuild.run(ALL_PROJECTIONS);
  const fence = (await documents.checkpoint(READ_MODELS))?.fence ?? 0;
  await documents.write([], { name: READ_MODELS, position: await log.head(), fence });
  const collection = await live.of(dueWorkProjection);
  const [ready] = DUE_WORK_INDEXES;
  const index = ready?.name ?? '';
  for (const kind of ['scheduledScan', 'caseWalk', 'rosterSync', 'enrollment', 'slot']) {
    const items = await documents.find<StoredDueItem>(collection, { index, equals: [kind], limit: 1_000_000 });
    for (const item of items) await dueWork.postpone(item, Date.now() + HOUR);
  }
};

await postponeAll(services);
const { url } = await service.start();
if (!(await services.caughtUp(VIEWS, MINUTE))) throw new Error('the views do not catch up');
sendToParent({ url, key, creatorIds } satisfies PostScanReady);
