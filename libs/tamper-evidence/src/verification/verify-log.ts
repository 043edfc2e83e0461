import type { DamagedEvent, StoredEvent, StoredLog } from '#kernel';
import { ChainReader } from '../chain-reader.js';
import { type EventHash, NO_HASH } from '../event-hash.js';
import { isRememberedBy, notSigned, type RememberedSeal, withoutSeal } from '../last-seals.js';
import { Frontier } from '../merkle.js';
import { PRINT, SEALS, type Seal, type SealPublicKey, type SealStatement } from '../seal.js';
import { type Fault, Faults, type LoggedEvent, Window } from './fault.js';
import { type CheckedSeal, type CheckedSeals, printsOf, problemOf, readSeals } from './seal-check.js';

export interface Verification {
  /** How many events the log holds, and the last of them. */
  readonly events: number;
  readonly last: LoggedEvent | null;
  readonly root: string;
  /** How many seals the log holds, and how many events the last good one of them covers. */
  readonly seals: number;
  readonly sealedEvents: number;
  /** The ids of the events with which operators have accepted that the log lacks seals (D91). */
  readonly acceptedLosses: readonly string[];
  /** In the order of the log, the first hundred; empty if the log is as it was written. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** The ids of the keys whose seals were accepted: the given one, and those that it vouches for (D85). */
  readonly publicKeys: ReadonlyMap<string, SealPublicKey>;
  /** The statements of the seals in the log that one of these keys has signed. Other seals are among the faults. */
  readonly signedSeals: readonly SealStatement[];
}

export interface VerifyOptions {
  readonly kept?: Seal | undefined;
  /** The last seal as the key store remembers it, read before this call (D91). */
  readonly remembered?: RememberedSeal | undefined;
  /** More keys that an installation trusts, such as its previous one. */
  readonly trusted?: readonly SealPublicKey[];
  readonly onProgress?: (events: number) => void;
}

/**
 * Walks a log from its first event to its last, and names each event that is not as it was written. Memory does not
 * grow with the log. Throws `StoreUnavailable` if the store cannot be read.
 */
export const verifyLog = async (
  log: StoredLog,
  key: SealPublicKey,
  { kept, remembered, trusted, onProgress }: VerifyOptions = {},
): Promise<Verification> => {
  // The seals are read before the log's end, so that the walk contains all events that they cover.
  const walk = new Walk(log, await readSeals(log, key, trusted), kept);
  for (const fault of (await log.schemaFaults?.()) ?? []) walk.seeSchemaFault(fault);
  for await (const page of log.pages()) {
    for (const record of page) {
      if ('json' in record) await walk.see(record);
      else if ('damage' in record) await walk.seeDamaged(record);
      else walk.seeMissingEvent();
    }
    onProgress?.(walk.events);
  }
  if (remembered !== undefined) walk.compareWith(remembered);
  return walk.end();
};

class Walk {
  events = 0;
  private last: LoggedEvent | null = null;
  private readonly faults = new Faults();
  private readonly chain: ChainReader;
  private frontier = new Frontier();
  private readonly window = new Window();
  /** Seals that can be trusted, by how many events they cover. */
  private readonly ahead: CheckedSeal[];
  private sealed = 0;
  /** The number of the first fault after the last seal that was right. */
  private firstUnsealedFault: number | undefined;

  constructor(
    private readonly log: StoredLog,
    private readonly checked: CheckedSeals,
    private readonly kept: Seal | undefined,
  ) {
    this.chain = new ChainReader(log);
    const keptProblem = kept && problemOf(kept, checked.keys);
    if (keptProblem !== undefined) this.fault('bad_seal', 0, null, `the seal that was kept: ${keptProblem}`);
    const given = kept === undefined ? [] : [{ seal: kept, event: undefined, problem: keptProblem }];
    this.ahead = [...checked.seals, ...given]
      .filter(({ problem }) => problem === undefined)
      .sort((one, other) => one.seal.statement.count - other.seal.statement.count);
  }

  async see(event: StoredEvent): Promise<void> {
    const { hash, finding } = await this.chain.read(event);
    const number = this.events + 1;
    if (finding !== undefined) this.fault(finding.kind, number, event, finding.message);
    const problem = this.checked.problems.get(event.id);
    if (problem !== undefined) this.fault('bad_seal', number, event, problem);
    await this.take(event, hash);
  }

  async seeDamaged({ id, stream, damage }: DamagedEvent): Promise<void> {
    const damaged = { id, stream, revision: Number.NaN };
    this.fault('changed', this.events + 1, damaged, damage);
    await this.take(damaged, NO_HASH);
  }

  seeSchemaFault(message: string): void {
    this.faults.add({ kind: 'foreign_schema', number: 0, id: null, stream: null, revision: null, message });
  }

  seeMissingEvent(): void {
    const after = this.last === null ? 'before the first' : `after ${this.last.id}`;
    this.fault('missing', this.events + 1, null, `an event is missing ${after}`);
  }

  compareWith(remembered: RememberedSeal): void {
    const { id, count, root } = remembered;
    const isThere = this.checked.seals.some(
      ({ seal: { statement }, event }) => event?.id === id && statement.count === count && statement.root === root,
    );
    const isSigned = [...this.checked.keys.all.values()].some((key) => isRememberedBy(remembered, key));
    if (isSigned && isThere && this.events >= count) return;
    const message = isSigned ? withoutSeal(remembered) : notSigned(remembered);
    const number = Math.min(this.events, count) + 1;
    this.faults.add({ kind: 'seals_missing', number, id, stream: SEALS, revision: null, message });
  }

  async end(): Promise<Verification> {
    await this.checkCut();
    return {
      events: this.events,
      last: this.last,
      root: this.frontier.root(),
      seals: this.checked.seals.length,
      sealedEvents: this.sealed,
      acceptedLosses: this.checked.acceptedLosses,
      faults: this.faults.list(),
      faultCount: this.faults.count,
      publicKeys: this.checked.keys.all,
      signedSeals: this.checked.seals.filter(({ problem }) => problem === undefined).map(({ seal }) => seal.statement),
    };
  }

  private async take({ id, stream, revision }: LoggedEvent, hash: EventHash): Promise<void> {
    this.events++;
    this.last = { id, stream, revision };
    this.frontier.add(hash);
    if (this.ahead.length > 0) this.window.add(this.last, hash);
    for (let next = this.ahead[0]; next?.seal.statement.count === this.events; next = this.ahead[0]) {
      const { root, through } = next.seal.statement;
      if (root !== this.frontier.root() || through.id !== id) {
        await this.differs(next);
        this.goOnFrom(next.seal, id);
        return;
      }
      this.ahead.shift();
      this.sealed = this.events;
    }
    if (this.sealed === this.events) this.beginWindow();
  }

  /** If the count is right, checking continues from the seal's frontier; otherwise no later seal can be checked. */
  private goOnFrom({ statement }: Seal, id: string): void {
    const frontier = Frontier.of(statement.count, statement.frontier);
    if (statement.through.id !== id || frontier === undefined) this.ahead.length = 0;
    else {
      this.frontier = frontier;
      while (this.ahead[0]?.seal.statement.count === statement.count) this.ahead.shift();
      this.sealed = this.events;
      this.beginWindow();
    }
  }

  private beginWindow(): void {
    this.window.clear();
    this.firstUnsealedFault = undefined;
  }

  /** The events that a seal covers are not those that it was made for. */
  private async differs({ seal, event }: CheckedSeal): Promise<void> {
    const inLog =
      event ?? this.checked.seals.find((other) => other.seal.statement.count === seal.statement.count)?.event;
    const prints = inLog === undefined ? '' : await printsOf(this.log, inLog.revision);
    const difference = this.window.differenceTo(prints, seal.statement.count - prints.length / PRINT - this.sealed);
    const name = event === undefined ? 'the seal that was kept' : `the seal ${event.id}`;
    if (difference === undefined) {
      if (this.firstUnsealedFault !== undefined) return;
      const { count, through } = seal.statement;
      const range = `events ${this.sealed + 1} to ${count}, through ${through.id}`;
      return this.fault('changed', this.sealed + 1, null, `${range}, are not all as ${name} has them`);
    }
    const { index } = difference;
    const number = this.sealed + index + 1;
    // A fault of a single event says more than this one.
    if (this.firstUnsealedFault !== undefined && this.firstUnsealedFault <= number) return;
    const isLast = number === seal.statement.count;
    const kind = isLast && this.window.at(index)?.id !== seal.statement.through.id ? 'missing' : difference.kind;
    const found = kind === 'missing' ? undefined : this.window.at(index);
    const before = index === 0 ? 'where it begins' : `after ${this.window.at(index - 1)?.id}`;
    this.fault(kind, number, found ?? null, `${WORDS[kind]} by ${name}, ${before}`);
  }

  private async checkCut(): Promise<void> {
    const [next] = this.ahead;
    if (next !== undefined && next.event !== undefined) return this.differs(next);
    const { kept } = this;
    if (kept === undefined) return;
    const { count, through } = kept.statement;
    const end = this.last === null ? 'the log is empty' : `the log ends after ${this.last.id}`;
    if (next !== undefined) {
      const message = `${end}; the seal that was kept covers ${count} events through ${through.id}`;
      return this.fault('cut_off', this.events + 1, null, message);
    }
    const isThere = this.checked.seals.some(({ seal }) => seal.signature === kept.signature);
    if (!isThere && this.faults.count === 0) {
      this.fault('cut_off', this.events + 1, null, `${end}, without the seal that was kept`);
    }
  }

  private fault(kind: Fault['kind'], number: number, event: LoggedEvent | null, message: string): void {
    this.firstUnsealedFault = Math.min(this.firstUnsealedFault ?? number, number);
    const revision = event === null || Number.isNaN(event.revision) ? null : event.revision;
    this.faults.add({ kind, number, id: event?.id ?? null, stream: event?.stream ?? null, revision, message });
  }
}

const WORDS = {
  changed: 'not the event that is sealed',
  missing: 'an event is missing that is sealed',
  inserted: 'an event that is not sealed',
  reordered: 'not in the order that is sealed',
} as const;
