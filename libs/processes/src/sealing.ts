import {
  type EventLog,
  type EventToAppend,
  type Instant,
  NO_EVENTS,
  newEventId,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
  WrongExpectedRevision,
} from '#kernel';
import {
  Frontier,
  NO_HASH,
  printOf,
  SEAL_AFTER,
  SEAL_EVENTS,
  SEALED,
  SEALS,
  type Sealed,
  type SealKey,
  sealed,
} from '#tamper-evidence';

export const SEALING = 'sealing';

/** The last seal, and what has come since. */
interface Unsealed {
  readonly last: { readonly revision: Revision; readonly id: string | null; readonly at: Instant };
  readonly frontier: Frontier;
  /** Of each event that the next seal covers more than the last. */
  readonly prints: string[];
  through: RecordedEvent | undefined;
  /** Up to where the log has been looked at. */
  reached: Position;
  /** Since when something waits for a seal; seals themselves do not. */
  since: Instant | undefined;
}

/**
 * Puts seals on the log: one for every 10,000 events, and one before anything has waited for an hour. The last seal
 * holds all that is needed to go on. Several at once are a waste, but do no harm: each seal names the one before.
 */
export class Sealing {
  private unsealed: Unsealed | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly key: SealKey,
    /** How many events a seal covers at most. */
    private readonly every = SEAL_EVENTS,
  ) {}

  /** Whether there can be nothing to do: all has been looked at, and nothing waits. */
  async isIdle(): Promise<boolean> {
    const { unsealed } = this;
    return unsealed !== undefined && unsealed.since === undefined && (await this.log.head()) === unsealed.reached;
  }

  /** Makes the seals that are due, and says how many. */
  async runDue(now: Instant): Promise<number> {
    return this.seal(now, ({ since }) => since !== undefined && now - since >= SEAL_AFTER);
  }

  /** Seals all that the log holds, where anything but seals has come since the last one. */
  sealAll(now: Instant): Promise<number> {
    return this.seal(now, ({ since }) => since !== undefined);
  }

  /** What it knows serves only for as long as nobody else makes seals. */
  forget(): void {
    this.unsealed = undefined;
  }

  private async seal(now: Instant, isDue: (unsealed: Unsealed) => boolean): Promise<number> {
    try {
      const unsealed = await this.current();
      const head = await this.log.head();
      let seals = 0;
      while (unsealed.reached < head) {
        const page = await this.log.readLog({ after: unsealed.reached });
        for (const event of page.events) {
          take(unsealed, event, now);
          if (unsealed.prints.length < this.every || unsealed.since === undefined) continue;
          await this.append(unsealed, now);
          seals++;
        }
        unsealed.reached = page.reached;
      }
      if (!isDue(unsealed)) return seals;
      await this.append(unsealed, now);
      return seals + 1;
    } catch (error) {
      // Half a page may have been taken, or somebody else has made a seal.
      this.unsealed = undefined;
      if (error instanceof WrongExpectedRevision) return 0;
      throw error;
    }
  }

  /** What is known, unless seals have been made elsewhere. */
  private async current(): Promise<Unsealed> {
    const known = this.unsealed;
    const isCurrent =
      known !== undefined &&
      (await this.log.readStream(SEALS, { from: known.last.revision + 1, limit: 1 })).length === 0;
    this.unsealed = isCurrent ? known : await this.afterLastSeal();
    return this.unsealed;
  }

  private async afterLastSeal(): Promise<Unsealed> {
    const [last] = (await this.log.readStream(SEALS, {
      direction: 'backwards',
      limit: 1,
    })) as RecordedEvent<Sealed>[];
    const nothing = { prints: [], through: undefined, since: undefined };
    if (last === undefined) {
      return { ...nothing, last: { revision: NO_EVENTS, id: null, at: 0 }, frontier: new Frontier(), reached: 0 };
    }
    const { count, through, frontier: peaks } = last.data.statement;
    const frontier = Frontier.of(count, peaks);
    if (frontier === undefined) throw new Error(`the seal ${last.id} holds no frontier of ${count} events`);
    const [event] = await this.log.readStream(through.stream as StreamName, { from: through.revision, limit: 1 });
    if (event?.id !== through.id) throw new Error(`the log has lost ${through.id}, which is sealed by ${last.id}`);
    return {
      ...nothing,
      last: { revision: last.revision, id: last.id, at: last.metadata.at },
      frontier,
      reached: event.position,
    };
  }

  private async append(unsealed: Unsealed, now: Instant): Promise<void> {
    const { last, frontier, prints, through } = unsealed;
    if (through === undefined) return;
    const { id, stream, revision } = through;
    const at = Math.max(now, last.at);
    const { type, data } = sealed(
      frontier,
      prints,
      { through: { id, stream, revision }, previous: last.id, at },
      this.key,
    );
    const seal: EventToAppend<Sealed> = {
      id: newEventId(),
      type,
      data,
      metadata: { at, correlationId: id, causationId: id, actor: `process:${SEALING}`, workspaceId: null },
    };
    const appended = await this.log.append(SEALS, last.revision === NO_EVENTS ? 'none' : last.revision, [seal]);
    Object.assign(unsealed, {
      last: { revision: appended.revision, id: seal.id, at },
      prints: [],
      through: undefined,
      since: undefined,
    } satisfies Partial<Unsealed>);
  }
}

const take = (unsealed: Unsealed, event: RecordedEvent, now: Instant): void => {
  const hash = event.metadata.hash ?? NO_HASH;
  unsealed.frontier.add(hash);
  unsealed.prints.push(printOf(hash));
  unsealed.through = event;
  if (event.type !== SEALED) unsealed.since ??= Math.min(now, event.metadata.at);
};
