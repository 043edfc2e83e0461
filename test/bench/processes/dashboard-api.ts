import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ALL_PROJECTIONS } from '#contexts';
import { Sessions } from '#dashboard';
import { endOf } from '#jobs';
import { type CreatorId, derivedId, type UserId } from '#kernel';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { ledRebuild } from '../led-rebuild.js';
import { AGENCY } from './bench-agency.js';
import {
  bindLongAgo,
  enrollCreators,
  issueKeys,
  observeOnce,
  openCases,
  publishSome,
  registerEndpoints,
} from './dashboard-agency.js';
import { DashboardHistory, type HistorySize } from './dashboard-history.js';
import { fillRequestLog } from './dashboard-requests.js';
import { putLanesAtEnd } from './lanes-at-end.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface DashboardSettings extends HistorySize {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly creators: number;
  readonly keys: number;
  readonly endpoints: number;
  readonly sessions: number;
}

export interface DashboardReady {
  readonly url: string;
  readonly key: string;
  /** Each has a session of a member of the agency. */
  readonly cookies: readonly string[];
  readonly ids: {
    readonly creator: string;
    readonly otherCreator: string;
    readonly userId: string;
    readonly externalId: string;
    readonly endpoint: string;
    readonly key: string;
    readonly case: string;
    /** In the feed's stream too. */
    readonly event: string;
    readonly delivery: string;
    /** Of events that were published a tenth, and half of the events ago. */
    readonly recentEvent: string;
    readonly earlierEvent: string;
    readonly eventType: string;
    readonly deliveredEvent: string;
    readonly deliveredCreator: string;
    readonly request: string;
  };
  /** The times of the recent and of the earlier event. */
  readonly times: { readonly recent: number; readonly earlier: number };
}

/** How long the event loop was busy without a break, in milliseconds, since last asked. */
export interface LongestTurn {
  readonly ms: number;
}

const CASES = 500;
const PUBLISHED = 20;

/** An agency with a long history, and the API with the dashboard, in one process. */
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
const { log, documents } = services;
const workspaceId = derivedId('workspace', AGENCY);

await bindLongAgo(services);
const keys = await issueKeys(services, settings.keys);
const endpoints = await registerEndpoints(services, settings.endpoints);
const creators = await enrollCreators(services, sandbox.userIds, settings.creators);
const [creator, other] = creators;
const [endpoint] = endpoints;
const [key] = keys;
if (creator === undefined || other === undefined || endpoint === undefined || key === undefined)
  throw new Error('too few of something');
await observeOnce(services, creator.creatorId);
const [caseId = ''] = await openCases(services, creator.creatorId, CASES);
const { eventIds, deliveryIds } = await publishSome(services, creator.creatorId, endpoint, PUBLISHED);

const history = new DashboardHistory({
  ...settings,
  agencyId: AGENCY,
  workspaceId,
  creators: creators.map(({ creatorId }): CreatorId => creatorId),
  endpoints,
  published: PUBLISHED,
  now: Date.now(),
});
const end = await endOf(log);
await ledRebuild(ALL_PROJECTIONS, history.after(log, end.position), documents);
// Where the log really ends: documents that are beyond it would be those of another log (D92).
await putLanesAtEnd({ log, documents }, undefined, end);
const request = await fillRequestLog(
  services,
  keys.map(({ key: { keyId } }) => keyId),
);

const { url } = await service.startApi();
const sessions = services.app.get(Sessions, { strict: false });
const cookieOf = async (n: number): Promise<string> => {
  const userId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId;
  const member = { issuer: provider.OIDC_ISSUER_URL, subject: userId, userId, name: 'Ana' };
  const { secret } = await sessions.start(
    { ...member, agencies: [AGENCY], roles: [] },
    { access: 'a', refresh: null, sources: [] },
  );
  return `session-${DASHBOARD_PORT}=${secret.text}`;
};
const cookies: string[] = [];
for (let n = 0; n < settings.sessions; n++) cookies.push(await cookieOf(n));

const recent = history.feedEvent(Math.floor(settings.events * 0.9));
const earlier = history.feedEvent(Math.floor(settings.events * 0.5));
const delivered = history.feedEvent(settings.events - 10).published;
const delays = monitorEventLoopDelay({ resolution: 1 });
process.on('message', () => {
  sendToParent({ ms: delays.max / 1e6 } satisfies LongestTurn);
  delays.reset();
});
delays.enable();
sendToParent({
  url,
  key: key.secret,
  cookies,
  ids: {
    creator: creator.creatorId,
    otherCreator: other.creatorId,
    userId: creator.userId,
    externalId: creator.externalId,
    endpoint,
    key: key.key.keyId,
    case: caseId,
    event: eventIds[0] ?? '',
    delivery: deliveryIds[0] ?? '',
    recentEvent: recent.published.id,
    earlierEvent: earlier.published.id,
    eventType: recent.published.type,
    deliveredEvent: delivered.id,
    deliveredCreator: delivered.creatorId,
    request,
  },
  times: { recent: recent.at, earlier: earlier.at },
} satisfies DashboardReady);
