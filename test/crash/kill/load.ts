import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError, type Page } from '#client';
import type { SandboxClient } from '../../../apps/platform-sandbox/src/index.js';
import type { AgencyClient, Answer, EventBody } from '../support/agency-client.js';
import type { Random } from '../support/random.js';
import {
  addAlias,
  enroll,
  look,
  lookAtCases,
  lookAtScan,
  type Operation,
  onboard,
  protect,
  queueScan,
} from './operations.js';
import { Subject } from './subject.js';

const IN_FLIGHT = 16;
const INVITEES = 200;
const SCANS_EACH = 5;
const FEED_POLL_INTERVAL = 50;

/** An agency's backend at work: keeps requests in flight as long as there is somebody to answer, and remembers. */
export class Load {
  readonly subjects: Subject[] = [];
  /** Answers that deviate from the specification. */
  readonly complaints: string[] = [];
  /** Operations without an answer, or with a status after which a client retries. */
  readonly unacknowledged: Operation[] = [];
  /** The feed, as a reader saw it that went on from its last event through every crash. */
  readonly feed: EventBody[] = [];
  acknowledged = 0;

  /** Whom to ask, once somebody can be asked; undefined when it is over. */
  private client = Promise.withResolvers<AgencyClient | undefined>();
  private isServed = false;
  private readonly unansweredBy = new Map<AgencyClient, number>();
  private readonly working: Promise<void>[] = [];
  private readonly sent = new Set<Promise<void>>();
  private keys = 0;

  constructor(
    private readonly random: Random,
    private readonly workspaceId: string,
    private readonly members: string[],
    private readonly platform: SandboxClient,
    private readonly inFlight = IN_FLIGHT,
  ) {}

  start(): void {
    for (let each = 0; each < this.inFlight; each++) this.working.push(this.work());
    this.working.push(this.followFeed());
  }

  /** The service can be reached: what waited is sent. */
  serve(client: AgencyClient): void {
    this.isServed = true;
    this.client.resolve(client);
  }

  /** The service that is served is about to go: nothing new is sent. */
  hold(): void {
    // Who waits already goes on waiting for the same.
    if (this.isServed) this.client = Promise.withResolvers();
    this.isServed = false;
  }

  /** Returns when everything that was sent is answered or lost. */
  async idle(): Promise<void> {
    await Promise.all(this.sent);
  }

  /** Begins nothing more; returns when everything that was sent is answered or lost. */
  async stop(): Promise<void> {
    this.end();
    await Promise.all(this.working);
  }

  private end(): void {
    this.hold();
    this.client.resolve(undefined);
  }

  /** How many of the requests to this client's process were never answered. */
  unanswered(client: AgencyClient): number {
    return this.unansweredBy.get(client) ?? 0;
  }

  /** Sends once what was not acknowledged, as it was sent before; what is still not acknowledged stays. */
  async repeat(client: AgencyClient): Promise<void> {
    const again = this.unacknowledged.splice(0);
    for (let first = 0; first < again.length; first += this.inFlight) {
      await Promise.all(again.slice(first, first + this.inFlight).map((operation) => this.perform(operation, client)));
    }
  }

  private async work(): Promise<void> {
    for (let client = await this.client.promise; client !== undefined; client = await this.client.promise) {
      const sent = this.perform(this.next(), client);
      this.sent.add(sent);
      await sent;
      this.sent.delete(sent);
    }
  }

  private async perform(operation: Operation, client: AgencyClient): Promise<void> {
    const { subject, name } = operation;
    subject.isBusy = true;
    try {
      const outcome = await operation.attempt(client);
      if (outcome === 'again') {
        this.unacknowledged.push(operation);
        return;
      }
      if (outcome === 'acknowledged') this.acknowledged += 1;
      else this.complaints.push(outcome.complaint);
      subject.isBusy = false;
    } catch (error) {
      this.unacknowledged.push(operation);
      this.unansweredBy.set(client, this.unanswered(client) + 1);
      if (isConnectionLost(error)) return;
      this.complaints.push(`${name}: ${error}`);
      // Such an error comes without a wait, and once more for each new operation.
      this.end();
    }
  }

  private next(): Operation {
    const { random } = this;
    if (random.chance(0.5)) {
      const [again] = this.unacknowledged.splice(0, 1);
      if (again !== undefined) return again;
    }
    const choice = random.next();
    const free = this.subjects.filter(({ id, isBusy }) => id !== undefined && !isBusy);
    const linked = random.pick(free.filter(({ userId }) => userId !== undefined));
    const invitee = random.pick(free.filter(({ userId }) => userId === undefined));
    if (choice < 0.1 && invitee !== undefined) return choice < 0.06 ? onboard(invitee, this.platform) : look(invitee);
    if (choice < 0.25 || linked === undefined) return this.enrollOne();
    if (choice < 0.33) return addAlias(linked, `alias ${++this.keys}`);
    if (choice < 0.37) return look(linked);
    if (choice < 0.41) return lookAtCases(linked);
    if (linked.protection !== 'active') return protect(linked, 'active');
    if (choice < 0.55) return protect(linked, 'paused');
    const scan = random.pick(linked.scans);
    if (choice < 0.6 && scan !== undefined) return lookAtScan(linked, scan);
    const mayScan = linked.scans.length < SCANS_EACH;
    return mayScan ? queueScan(linked, { key: `key-${++this.keys}` }) : protect(linked, 'paused');
  }

  private enrollOne(): Operation {
    const invitees = this.subjects.filter(({ isInvitee }) => isInvitee).length;
    const userId = invitees >= INVITEES || this.random.chance(0.4) ? this.members.pop() : undefined;
    const number = this.subjects.length + 1;
    const externalId = `creator ${number}`;
    const identity = { workspace_id: this.workspaceId, external_id: externalId, display_name: `Creator ${number}` };
    const whom =
      userId === undefined
        ? { email: `creator-${number}@example.com`, first_name: 'Given', last_name: 'Family', locale: 'fr' as const }
        : { svc_user_id: userId, aliases: [`Stage name ${number}`] };
    const profile_urls = [`https://www.instagram.com/creator_${number}`];
    const subject = new Subject(externalId, { ...identity, ...whom, profile_urls }, userId);
    this.subjects.push(subject);
    return enroll(subject);
  }

  private async followFeed(): Promise<void> {
    let after: string | null = null;
    for (let client = await this.client.promise; client !== undefined; client = await this.client.promise) {
      const page: Answer<Page<EventBody>> | undefined = await client.pageOfEvents(after).catch(() => undefined);
      if (page?.status === 200) {
        this.feed.push(...page.body.data);
        after = page.body.next_cursor ?? page.body.data.at(-1)?.id ?? after;
      } else if (page !== undefined && page.status < 502) this.complaints.push(`feed: ${JSON.stringify(page)}`);
      if (page?.body.next_cursor == null) await delay(FEED_POLL_INTERVAL);
    }
  }
}

const isConnectionLost = (error: unknown): boolean =>
  error instanceof ConnectionError && LOST.has(String(codeOf(error.cause)));

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;

const LOST: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
