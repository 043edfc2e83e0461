import { type EventLog, type Instant, NO_EVENTS, newEventId, newestEventsOfStream, type StreamName } from '#kernel';
import { endOfSeals } from './key-change.js';
import {
  LOSS_ACCEPTED,
  type LossAccepted,
  parseSeal,
  SEALED,
  SEALS,
  type SealedEvent,
  type SealKey,
  type SealKeys,
  type SealPublicKey,
} from './seal.js';

/** The log's last seal, as the key store remembers it (D91). */
export interface RememberedSeal {
  /** The event id of the seal, how many events it covers, and the root of the tree of their hashes. */
  readonly id: string;
  readonly count: number;
  readonly root: string;
  readonly signature: string;
}

type Unsigned = Omit<RememberedSeal, 'signature'>;

export const remembered = ({ id, data }: SealedEvent, key: SealKey): RememberedSeal =>
  signedBy(key, { id, count: data.statement.count, root: data.statement.root });

const signedBy = (key: SealKey, { id, count, root }: Unsigned): RememberedSeal => ({
  id,
  count,
  root,
  signature: key.sign(signedText({ id, count, root })),
});

const signedText = ({ id, count, root }: Unsigned): string => `last-seal.v1\n${JSON.stringify({ id, count, root })}`;

export const isRememberedBy = (seal: RememberedSeal, key: SealPublicKey): boolean =>
  key.hasSigned(signedText(seal), seal.signature);

export const notSigned = ({ id }: RememberedSeal): string =>
  `what the key store remembers of the seal ${id} is not signed with the key of this log`;

export const withoutSeal = ({ id, count }: RememberedSeal): string =>
  `the log lacks the seal ${id} over ${count} events, which the key store remembers`;

export interface SealMemory {
  lastSeal(): Promise<RememberedSeal | undefined>;
  /** In place of `replaced`; false if the store has something different. */
  rememberSeal(seal: RememberedSeal, replaced: RememberedSeal | undefined): Promise<boolean>;
}

/** The log lacks what the key store remembers of its last seal: it was rewritten, or put back to an older state. */
export class SealsMissing extends Error {
  constructor(what: string) {
    super(
      `${what}. Nothing is sealed until the log is restored, or until \`events seal --accept-loss\` records who accepts ` +
        'the loss; docs/auditing.md says what to check first',
    );
    this.name = 'SealsMissing';
  }
}

/** D91: compares the log with what the key store remembers of its last seal, and remembers each new seal. */
export class LastSeals {
  private accepted: RememberedSeal | undefined;

  constructor(
    private readonly log: Pick<EventLog, 'readStream' | 'append'>,
    private readonly memory: SealMemory,
    private readonly keys: SealKeys,
  ) {}

  /** Names what the log lacks; undefined if it lacks nothing, or if no seal is remembered. */
  async missing(): Promise<string | undefined> {
    const known = await this.memory.lastSeal();
    if (known === undefined || known.signature === this.accepted?.signature) return undefined;
    return this.signerOf(known) === undefined ? notSigned(known) : missingFrom(this.log, known);
  }

  async check(): Promise<void> {
    const what = await this.missing();
    if (what !== undefined) throw new SealsMissing(what);
  }

  /**
   * Records that this operator accepts that the log lacks seals. From now on the next seal takes the place of the
   * remembered one. False if the log lacks nothing.
   */
  async acceptLoss(now: Instant, operator: string): Promise<boolean> {
    const lost = await this.memory.lastSeal();
    if (lost === undefined || (await this.missing()) === undefined) return false;
    const { end } = await endOfSeals(this.log);
    const { id: lostId, count, root } = lost;
    const { type, data }: LossAccepted = { type: LOSS_ACCEPTED, data: { lost: { id: lostId, count, root } } };
    const id = newEventId();
    const at = Math.max(now, end?.metadata.at ?? 0);
    const metadata = { at, correlationId: id, causationId: null, actor: operator, workspaceId: null };
    const last = end?.revision ?? NO_EVENTS;
    await this.log.append(SEALS, last === NO_EVENTS ? 'none' : last, [{ id, type, data, metadata }]);
    this.accepted = lost;
    return true;
  }

  /** Remembers the log's last seal if none is remembered, as in an installation of an older version. */
  async adopt(): Promise<RememberedSeal | undefined> {
    if ((await this.memory.lastSeal()) !== undefined) return undefined;
    const { lastSeal } = await endOfSeals(this.log);
    if (lastSeal === undefined) return undefined;
    const seal = remembered(lastSeal, this.keys.current);
    return (await this.memory.rememberSeal(seal, undefined)) ? seal : undefined;
  }

  /** Unless a later one is remembered. Where nothing is, only the log's first seal: a later one is adopted and reported. */
  async remember(seal: SealedEvent, key: SealKey): Promise<void> {
    const { count, previous } = seal.data.statement;
    for (;;) {
      const known = await this.memory.lastSeal();
      if (known === undefined && previous !== null) return;
      const isLower = known !== undefined && known.count >= count;
      if (isLower && known.signature !== this.accepted?.signature) return;
      // A rotation may have signed it with the new key since this seal was made.
      const signer = known && this.signerOf(known);
      const newest = this.keys.all.find((each) => isSame(each, signer) || isSame(each, key)) ?? key;
      if (await this.memory.rememberSeal(remembered(seal, newest), known)) return;
    }
  }

  /** D85: signs with that key what another key of this installation has signed. */
  async signWith(key: SealKey): Promise<void> {
    for (;;) {
      const known = await this.memory.lastSeal();
      const signer = known && this.signerOf(known);
      if (known === undefined || signer === undefined || isSame(signer, key)) return;
      if (await this.memory.rememberSeal(signedBy(key, known), known)) return;
    }
  }

  private signerOf(seal: RememberedSeal): SealKey | undefined {
    return this.keys.all.find(({ publicKey }) => isRememberedBy(seal, publicKey));
  }
}

const isSame = (one: SealKey, other: SealKey | undefined): boolean => one.publicKey.id === other?.publicKey.id;

/** The last seal is read first: usually it is the remembered one. */
const missingFrom = async (log: Pick<EventLog, 'readStream'>, known: RememberedSeal): Promise<string | undefined> => {
  for await (const { id, type, data } of newestEventsOfStream(log, SEALS, 1)) {
    const statement = type === SEALED ? parseSeal(data)?.statement : undefined;
    if (statement === undefined || statement.count > known.count) continue;
    const isThere = id === known.id && statement.count === known.count && statement.root === known.root;
    if (!isThere) return withoutSeal(known);
    const { stream, revision, id: last } = statement.through;
    const [event] = await log.readStream(stream as StreamName, { from: revision, limit: 1 });
    return event?.id === last ? undefined : `the log lacks the event ${last}, which the seal ${id} covers`;
  }
  return withoutSeal(known);
};
