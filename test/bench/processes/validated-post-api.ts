import { derivedId } from '#kernel';
import { InviteCreatorHandler } from '../../../libs/creators/src/application/enrollment/invite-creator.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface ValidatedPostReady {
  readonly url: string;
  readonly key: string;
  readonly workspaceId: string;
}

/** The real API over stores in the directory, with the one stand-in. */
const { dir, sandbox } = await settingsOf<{ readonly dir: string; readonly sandbox: SandboxReady }>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
const key = await issueKey(services);
const [creatorId] = await activeCreators(services, sandbox.userIds.slice(0, 1));
const creator = creatorId && (await services.creators.load(creatorId));
if (creator?.status !== 'known') throw new Error('there is no creator');
const api = await service.startApi({
  // Enrolls nobody, and answers with one creator: what is left is the way to a command and back.
  change({ app }) {
    app.get(InviteCreatorHandler, { strict: false }).execute = async () => ({
      creator,
      isNew: false,
      emailSent: false,
    });
  },
});
sendToParent({ url: api.url, key, workspaceId: derivedId('workspace', AGENCY) } satisfies ValidatedPostReady);
