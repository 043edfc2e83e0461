import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
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
import { LIVE_CATEGORIES, type Topic, topicsOf } from './live-topics.js';

const MAX_OF_SESSION = 2;
const MAX_OF_AGENCY = 32;
const MAX_OF_PROCESS = 256;
const RETRY_AFTER = 30;
/** Changes of this time are sent together. */
const COLLECT_FOR: Duration = 300;
/** Keeps proxies from closing a connection on which nothing happens, and finds those that may not go on. */
const BEAT_EVERY: Duration = 15 * SECOND;
/** A browser that has not read so many bytes is connected no more; it connects again. */
const MAX_UNREAD_BYTES = 16 * 1024;
/** A window that gets this leaves the connection to the newer ones: taking it back would end one of theirs, and so on. */
const REPLACED = 'event: replaced\ndata:\n\n';

interface OpenPage {
  readonly sessionId: string;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly response: ServerResponse;
  /** Whether its person is still signed in, with the right to see this. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Sends to open pages what to fetch again, as server-sent events without any data. The log is followed while a page is open. */
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

  /** Rejects with `rate_limited` where the agency or the process has too many. A session's oldest ones end. */
  open(page: OpenPage): void {
    // The browser left before this, so that no `close` would give its place back.
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

  /** Before the server drains its requests, which would wait for these. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const page of this.pages) this.end(page);
  }

  /** Ends the connections of sessions that have ended, and of people who may not see the agency any more. */
  async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    await Promise.all([...this.pages].map((page) => this.checkPage(page)));
    this.isChecking = false;
  }

  private async checkPage(page: OpenPage): Promise<void> {
    const mayGoOn = await page.mayGoOn().catch((error: unknown) => {
      if (!(error instanceof DomainError)) this.logger.warn({ err: error }, 'could not check an open page; it ends');
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
      logger.warn({ err: error }, 'could not follow changes for open pages; they ask again every minute');
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
    if (isFirst && this.changed.size > 0) setTimeout(() => void this.tell(), COLLECT_FOR).unref();
  }

  private async tell(): Promise<void> {
    // Of the last change that was collected, so that no page asks before the lists show it: D68, for two seconds at most.
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
