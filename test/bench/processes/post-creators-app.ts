import { derivedId } from '#kernel';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { AppSettings } from '../accepted-loads.js';
import { AGENCY, issueKey } from './bench-agency.js';
import { openBenchService } from './service.js';

export interface PostCreatorsReady {
  readonly url: string;
  readonly key: string;
  readonly workspaceId: string;
}

/** Api and worker, of an agency that has enrolled nobody. */
const { dir, stores, sandbox } = await settingsOf<AppSettings>();
const service = await openBenchService(dir, stores, sandbox);
const key = await issueKey(service.services);
const { url } = await service.start();
sendToParent({ url, key, workspaceId: derivedId('workspace', AGENCY) } satisfies PostCreatorsReady);
