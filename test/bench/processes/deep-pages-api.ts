import { type CaseEvent, caseIdOf } from '#cases';
import { ALL_PROJECTIONS } from '#contexts';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import {
  type CreatorId,
  derivedId,
  type EventToAppend,
  type Instant,
  newEventId,
  type StreamName,
  streamName,
} from '#kernel';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Services } from '../../support/open-service.js';
import { ledRebuild } from '../led-rebuild.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface DeepPagesSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly cases: number;
  readonly events: number;
}

export interface DeepPagesReady {
  readonly url: string;
  readonly key: string;
  /** The paths of a page near the beginning and of the last full one, by collection. */
  readonly pages: Readonly<Record<string, { readonly first: string; readonly last: string }>>;
}

const ROWS_PER_PAGE = 100;
const BATCH_SIZE = 1_000;
const A_FEED_APPEND = 250;
const workspaceId = derivedId('workspace', AGENCY);
const at: Instant = Date.UTC(2026, 0, 1);
const metadata = { at, correlationId: 'bench', causationId: null, actor: 'process:bench', workspaceId };

/** The whole roster active, cases of one creator, and a feed with the events. */
const { dir, sandbox, cases, events } = await settingsOf<DeepPagesSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
const key = await issueKey(services);
const [creatorId] = await activeCreators(services, sandbox.userIds);
if (creatorId === undefined) throw new Error('there is no creator');

const openCases = async ({ log }: Services, creatorId: CreatorId): Promise<string[]> => {
  const ids = Array.from({ length: cases }, (_, n) => caseIdOf(workspaceId, creatorId, `leak-${n}`));
  for (let from = 0; from < cases; from += BATCH_SIZE) {
    const some = ids.slice(from, from + BATCH_SIZE).map((caseId, n) => {
      const personal = { url: `https://forum.example.com/threads/${from + n}` };
      const finding = { status: 'Detected', statusCode: 'detected', actionable: true, deadOnArrival: false };
      const about = { caseId, creatorId, workspaceId, leakId: `leak-${from + n}`, scanId: null };
      const data: CaseEvent['data'] = { ...about, ...finding, createdAt: at, updatedAt: at, personal };
      return log.append(streamName('case', caseId), 'none', [
        { id: newEventId(), type: 'case.opened.v1', data, metadata },
      ]);
    });
    await Promise.all(some);
  }
  return ids.sort();
};

const fillFeed = async ({ log }: Services, creatorId: CreatorId): Promise<string[]> => {
  const feed: StreamName = streamName(EVENT_FEED, workspaceId);
  const ids: string[] = [];
  for (let revision = -1; ids.length < events; ) {
    const page = Array.from({ length: A_FEED_APPEND }, (_, n): EventToAppend => {
      const causeId = `cause-${ids.length + n}`;
      const announcement = { type: 'scan.completed', creatorId, data: { scan_id: `scn_${ids.length + n}` } } as const;
      const feedTime = at + ids.length + n;
      const published = publicEvent(announcement, { id: causeId, at: feedTime, workspaceId }, feedTime);
      const cause = { eventId: causeId, stream: streamName('scan', causeId), revision: 0 };
      return { id: newEventId(), ...publish(published, cause), metadata: { ...metadata, at: feedTime } };
    });
    ids.push(...page.map(({ data }) => (data as { readonly eventId: string }).eventId));
    ({ revision } = await log.append(feed, revision < 0 ? 'none' : revision, page));
  }
  return ids;
};

/** Two pages of as many rows after a cursor: of the first, and of the last. */
const around = (path: string, cursors: readonly string[]) => ({
  first: `${path}?limit=${ROWS_PER_PAGE}&after=${cursors[0]}`,
  last: `${path}?limit=${ROWS_PER_PAGE}&after=${cursors.at(-ROWS_PER_PAGE - 1)}`,
});

const pages = {
  roster: around('/v1/creators', sandbox.userIds.toSorted()),
  cases: around(`/v1/creators/${creatorId}/cases`, await openCases(services, creatorId)),
  events: around('/v1/events', await fillFeed(services, creatorId)),
};
await ledRebuild(ALL_PROJECTIONS, services.log, services.documents);
const api = await service.startApi();
sendToParent({ url: api.url, key, pages } satisfies DeepPagesReady);
