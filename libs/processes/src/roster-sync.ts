import type { AgencyAccess, Binding } from '#agencies';
import { type Creators, hasLeft, type RosterReading, rosterDecider } from '#creators';
import {
  type AgencyId,
  type CommandContext,
  type CommandRunner,
  type DueHandler,
  type DueOutcome,
  type Duration,
  HOUR,
  type Instant,
  type StoredDueItem,
  type UserId,
} from '#kernel';
import { deniedUntil } from './agency-gate.js';
import { roundContext } from './due-context.js';

const CREATORS_PER_PAGE = 200;

/** Observes an agency's creators: walks its roster, then asks for each known creator that the roster did not show. */
export class RosterSync implements DueHandler {
  readonly kind = 'rosterSync';
  readonly concurrency = 2;
  readonly ttl = HOUR;

  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly roster: RosterReading,
    private readonly access: AgencyAccess,
    private readonly every: Duration,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const agencyId = item.subject as AgencyId;
    const denied = await deniedUntil(this.access, agencyId, now);
    if (denied !== undefined) return { again: denied };
    const { binding } = await this.access.verify(agencyId);
    const context = roundContext(item);
    const seen = await this.walk(binding, context);
    await this.askForUnseen(binding, seen, now, context);
    return { again: now + this.every };
  }

  private async walk(binding: Binding, context: CommandContext): Promise<ReadonlySet<UserId>> {
    const seen = new Set<UserId>();
    for (let after: UserId | undefined; ; ) {
      const page = { limit: CREATORS_PER_PAGE, ...(after !== undefined && { after }) };
      // Only the agency's own reading brings creators under a new binding (D21).
      const { creators, nextCursor } = await this.roster.read(binding, page, context, { rebinding: false });
      for (const { userId } of creators) if (userId !== null) seen.add(userId);
      if (nextCursor === null) return seen;
      after = nextCursor;
    }
  }

  private async askForUnseen(
    { workspaceId }: Binding,
    seen: ReadonlySet<UserId>,
    began: Instant,
    context: CommandContext,
  ): Promise<void> {
    const { state } = await this.runner.load(rosterDecider, workspaceId);
    const failures: unknown[] = [];
    for (const { creatorId, userId } of state.creators.values()) {
      if (userId === null || seen.has(userId)) continue;
      const creator = await this.creators.load(creatorId);
      if (creator.status === 'unknown' || creator.userId === null || hasLeft(creator)) continue;
      // One that the platform can not answer for keeps none of the others waiting.
      await this.creators.refresh(creator, context, began).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
