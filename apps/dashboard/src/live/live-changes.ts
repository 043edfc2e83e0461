import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Controller, Injectable, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  type AgencyId,
  DomainError,
  type Duration,
  EventLog,
  followLog,
  LanePositions,
  Logger,
  type LogPage,
  type Position,
  SECOND,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, READ_MODELS } from '#projections';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { DashboardSessions } from '../access/dashboard-sessions.js';
import { Read } from '../access/rights.js';

/** The first part of the query keys under which a page keeps the server's answers. */
type Topic = 'overview' | 'keys' | 'endpoints' | 'deliveries' | 'events' | 'creators' | 'usage';

/** The topics that a change may concern, by the category of its stream. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  agency: ['overview', 'keys', 'endpoints'],
  apiKey: ['overview', 'keys'],
  webhookEndpoint: ['overview', 'endpoints', 'deliveries'],
  webhookDelivery: ['deliveries', 'endpoints'],
  eventFeed: ['overview', 'events'],
  creator: ['overview', 'creators'],
  scan: ['creators'],
  case: ['creators'],
  deindexRequest: ['creators'],
  usageMeter: ['overview', 'usage'],
};

const LIVE_CATEGORIES: ReadonlySet<string> = new Set(Object.keys(TOPICS));

const topicsOf = (type: string): readonly Topic[] => TOPICS[type.split('.')[0] ?? ''] ?? [];

const MAX_OF_SESSION = 2;
const MAX_OF_AGENCY = 32;
const MAX_OF_PROCESS = 256;
const RETRY_AFTER = 30;
/** Collects changes, so that they are sent together. */
const COLLECT_FOR: Duration = 300;
/** Keeps proxies from closing an idle connection, and ends connections that may not continue. */
const BEAT_EVERY: Duration = 15 * SECOND;
/** Disconnects a browser that has this many unread bytes. It connects again. */
const MAX_UNREAD_BYTES = 16 * 1024;
/** Asks a window to yield its connection to newer ones. If it reconnected, one of theirs would end. */
const REPLACED = 'event: replaced\ndata:\n\n';

interface OpenPage {
  readonly sessionId: string;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly response: ServerResponse;
  /** Whether the person is still signed in, with the right to read. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Sends open pages the topics to fetch again, as server-sent events. Follows the log while a page is open. */
@Injectable()
export class LiveChanges implements BeforeApplicationShutdown {
  private readonly pages = new Set<OpenPage>();
  private readonly changed = new Map<WorkspaceId, Set<Topic>>();
  private following: AbortController | undefined;
  private beat: NodeJS.Timeout | undefined;
  private reached: Position = 0;
  private isStopping = false;
  private isChecking = false;

  constructor(
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly logger: Logger,
  ) {}

  /** Ends the oldest pages of a session with too many. Throws `rate_limited` if the agency or the process has too many. */
  open(page: OpenPage): void {
    // Without this check, no `close` event would free the place.
    if (page.response.destroyed) return;
    const ofSession = [...this.pages].filter(({ sessionId }) => sessionId === page.sessionId);
    const replaced = ofSession.slice(0, Math.max(ofSession.length - MAX_OF_SESSION + 1, 0));
    const kept = [...this.pages].filter((each) => !replaced.includes(each));
    const ofAgency = kept.filter(({ agencyId }) => agencyId === page.agencyId);
    if (this.isStopping || ofAgency.length >= MAX_OF_AGENCY || kept.length >= MAX_OF_PROCESS) {
      throw new DomainError('rate_limited', { retryAfterSeconds: RETRY_AFTER });
    }
    for (const each of replaced) this.end(each, REPLACED);
    this.pages.add(page);
    page.response.once('close', () => this.forget(page));
    this.follow();
  }

  /** Runs before the server drains its requests, because it would wait for these connections. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const page of this.pages) this.end(page);
  }

  /** Ends the connections of ended sessions, and of people who lost the right to read. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    await Promise.all([...this.pages].map((page) => this.checkPage(page)));
    this.isChecking = false;
  }

  private async checkPage(page: OpenPage): Promise<void> {
    const mayGoOn = await page.mayGoOn().catch((error: unknown) => {
      if (!(error instanceof DomainError))
        this.logger.warn({ err: error }, 'could not check an open page; its connection is closed');
      return false;
    });
    if (!mayGoOn) this.end(page);
  }

  private end(page: OpenPage, text = ''): void {
    this.forget(page);
    page.response.end(text);
  }

  private forget(page: OpenPage): void {
    this.pages.delete(page);
    if (this.pages.size > 0) return;
    this.following?.abort();
    this.following = undefined;
    clearInterval(this.beat);
  }

  private follow(): void {
    if (this.following !== undefined) return;
    this.following = new AbortController();
    this.beat = setInterval(() => {
      this.send(() => ': beat\n\n');
      void this.check();
    }, BEAT_EVERY).unref();
    const { signal } = this.following;
    const { log, logger } = this;
    const following = { what: 'changes for open pages', signal, logger, filter: { categories: LIVE_CATEGORIES } };
    followLog(log, following, (page) => this.note(page)).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not follow changes for open pages; they poll every minute');
    });
  }

  private note({ events, reached }: LogPage): void {
    const open = new Set([...this.pages].map(({ workspaceId }) => workspaceId));
    const isFirst = this.changed.size === 0;
    this.reached = reached;
    for (const { type, metadata } of events) {
      const { workspaceId } = metadata;
      if (workspaceId === null || !open.has(workspaceId)) continue;
      const topics = this.changed.get(workspaceId) ?? new Set<Topic>();
      for (const topic of topicsOf(type)) topics.add(topic);
      this.changed.set(workspaceId, topics);
    }
    if (isFirst && this.changed.size > 0) setTimeout(() => void this.announce(), COLLECT_FOR).unref();
  }

  private async announce(): Promise<void> {
    // D68: waits at most two seconds for the read models, so that no page asks before the lists show the last change.
    const { reached } = this;
    const changed = new Map(this.changed);
    this.changed.clear();
    await this.progress.waitForPositionBriefly([READ_MODELS, DASHBOARD_READ_MODELS], reached).catch(() => false);
    this.send(({ workspaceId }) => {
      const topics = changed.get(workspaceId);
      return topics === undefined ? '' : `data: ${JSON.stringify([...topics])}\n\n`;
    });
  }

  private send(textFor: (page: OpenPage) => string): void {
    for (const page of this.pages) {
      const text = textFor(page);
      if (page.response.writableLength > MAX_UNREAD_BYTES) {
        this.forget(page);
        page.response.destroy();
      } else if (text !== '') page.response.write(text);
    }
  }
}

@Controller('dashboard/api/live')
export class LiveController {
  constructor(
    private readonly changes: LiveChanges,
    private readonly sessions: DashboardSessions,
  ) {}

  @Read()
  live(@CurrentUser() user: DashboardSession, @Res() reply: FastifyReply): void {
    const { raw: response } = reply;
    const { opened, agencyId, workspaceId } = user;
    const mayGoOn = () => this.sessions.mayGoOn(user, 'read');
    this.changes.open({ sessionId: opened.session.id, agencyId, workspaceId, response, mayGoOn });
    reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200);
    response.write('retry: 2000\n\n');
  }
}
