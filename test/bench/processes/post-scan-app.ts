import { ALL_PROJECTIONS, laneOf, taskProjection, VIEWS } from '#contexts';
import type { StoredTask } from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Services } from '../../support/open-service.js';
import type { AppSettings } from '../accepted-loads.js';
import { ledRebuild } from '../led-rebuild.js';
import { activeCreators, issueKey } from './bench-agency.js';
import { putLanesAtEnd } from './lanes-at-end.js';
import { openBenchService } from './service.js';

export interface PostScanReady {
  readonly url: string;
  readonly key: string;
  readonly creatorIds: readonly string[];
}

const MINUTE = 60_000;
/** Less than any of these kinds may wait: an item that is planned for later is taken for a mistake of a clock (D93). */
const SOME_TIME = 4 * MINUTE;

/** Api and worker, with active creators of which nothing else is to be done for some time. */
const { dir, stores, sandbox } = await settingsOf<AppSettings>();
const service = await openBenchService(dir, stores, sandbox);
const { services } = service;
const key = await issueKey(services);
const creatorIds = await activeCreators(services, sandbox.userIds);

const postponeAll = async ({ log, documents, commandTasks, live }: Services): Promise<void> => {
  await ledRebuild(ALL_PROJECTIONS, log, documents);
  await putLanesAtEnd({ log, documents }, [READ_MODELS, DASHBOARD_READ_MODELS].map(laneOf));
  const collection = await live.of(taskProjection);
  for (const kind of ['scheduledScan', 'caseWalk', 'rosterSync', 'enrollment', 'slot']) {
    const items = await documents.find<StoredTask>(collection, { index: 'ready', equals: [kind], limit: 1_000_000 });
    for (const item of items) await commandTasks.move(item, { readyAt: Date.now() + SOME_TIME });
  }
};

await postponeAll(services);
const { url } = await service.start();
if (!(await services.caughtUp(VIEWS, MINUTE))) throw new Error('the views do not catch up');
sendToParent({ url, key, creatorIds } satisfies PostScanReady);
