import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ALL_PROJECTIONS } from '#contexts';
import { Sessions } from '#dashboard';
import { DAY, derivedId, type UserId } from '#kernel';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { type DashboardSize, EVENT_TYPE, fillDashboard } from '../../support/large-dashboard.js';
import { ledRebuild } from '../led-rebuild.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import { putLanesAtEnd } from './lanes-at-end.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface DashboardSettings extends DashboardSize {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly sessions: number;
}

export interface DashboardReady {
  readonly url: string;
  /** The address in the configuration, which nothing listens on. */
  readonly dashboardUrl: string;
  readonly key: string;
  /** Each has a session of a member of the agency. */
  readonly cookies: readonly string[];
  readonly ids: {
    readonly creator: string;
    readonly otherCreator: string;
    readonly key: string;
    readonly endpoint: string;
    readonly event: string;
    readonly delivery: string;
  };
  readonly eventType: string;
  /** Half of a day ago. */
  readonly since: number;
}

/** How long the event loop was busy without a break, in milliseconds, since last asked. */
export interface LongestTurn {
  readonly ms: number;
}

/** An agency with a large dashboard, and the API with the dashboard, in one process. */
const settings = await settingsOf<DashboardSettings>();
const { dir, sandbox } = settings;
// Nobody logs in here: the sessions are there already.
const DASHBOARD_PORT = 9;
const provider = {
  DASHBOARD_URL: `http://127.0.0.1:${DASHBOARD_PORT}/dashboard`,
  OIDC_ISSUER_URL: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'bench',
  OIDC_CLIENT_SECRET: 'bench',
};
const service = await openBenchService(dir, 'durable', sandbox, provider);
const { services } = service;

const secret = await issueKey(services);
const [creator = '', otherCreator = ''] = await activeCreators(services, sandbox.userIds);
await ledRebuild(ALL_PROJECTIONS, services.log, services.documents);
await putLanesAtEnd(services);
const now = Date.now();
const agency = { agencyId: AGENCY, workspaceId: derivedId('workspace', AGENCY), creatorId: creator, now };
const filled = await fillDashboard(services, agency, settings);

const { url } = await service.startApi();
const sessions = services.app.get(Sessions, { strict: false });
const cookieOf = async (n: number): Promise<string> => {
  const userId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId;
  const member = { issuer: provider.OIDC_ISSUER_URL, subject: userId, userId, name: 'Ana' };
  const session = await sessions.start(
    { ...member, agencies: [AGENCY], roles: [] },
    { access: 'a', refresh: null, sources: [] },
  );
  return `session-${DASHBOARD_PORT}=${session.secret.text}`;
};
const cookies: string[] = [];
for (let n = 0; n < settings.sessions; n++) cookies.push(await cookieOf(n));

const delays = monitorEventLoopDelay({ resolution: 1 });
process.on('message', () => {
  sendToParent({ ms: delays.max / 1e6 } satisfies LongestTurn);
  delays.reset();
});
delays.enable();
const ids = { creator, otherCreator, ...filled };
const ready = {
  url,
  dashboardUrl: provider.DASHBOARD_URL,
  key: secret,
  cookies,
  ids,
  eventType: EVENT_TYPE,
  since: now - DAY / 2,
};
sendToParent(ready satisfies DashboardReady);
