import { hash } from 'node:crypto';
import { type EventLog, newestEventsOfStream } from '#kernel';
import { SEALED, SEALS, type SealKey, type SealPublicKey, type SealStatement } from './seal.js';

const ED25519 = Buffer.from([0x01]);

/** A statement on a log: its name, how many events it has, and the root of the tree of their hashes. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes in base64url. */
  readonly root: string;
}

/**
 * The checkpoint of a seal (C2SP tlog-checkpoint): a note that the seal's key signs under the name of the log. Ed25519
 * gives the same signature each time.
 */
export const signedCheckpoint = (origin: string, { count, root }: SealStatement, key: SealKey): string => {
  const text = `${origin}\n${count}\n${base64(Buffer.from(root, 'base64url'))}\n`;
  const signature = Buffer.from(key.sign(text), 'base64url');
  const signed = Buffer.concat([keyHash(origin, key.publicKey), signature]);
  return `${text}\n— ${origin} ${base64(signed)}\n`;
};

const NOTE = /^([^\n]+)\n(\d{1,15})\n([A-Za-z0-9+/]{43}=)\n\n— ([^\n ]+) ([A-Za-z0-9+/=]+)\n$/;

/** The signed statement, if the key has signed it and it is written as above; undefined for anything else. */
export const openedCheckpoint = (note: string, key: SealPublicKey): Checkpoint | undefined => {
  const [, origin = '', size = '', root = '', name, signed = ''] = NOTE.exec(note) ?? [];
  const bytes = Buffer.from(signed, 'base64');
  const isOfKey = name === origin && bytes.subarray(0, 4).equals(keyHash(origin, key)) && base64(bytes) === signed;
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  if (!isOfKey || !key.hasSigned(text, bytes.subarray(4).toString('base64url'))) return undefined;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64').toString('base64url') };
};

/** The key in the form that programs for C2SP notes take: `<origin>+<hash>+<key>`. */
export const verifierKey = (origin: string, key: SealPublicKey): string =>
  `${origin}+${keyHash(origin, key).toString('hex')}+${base64(Buffer.concat([ED25519, rawBytes(key)]))}`;

const keyHash = (name: string, key: SealPublicKey): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), ED25519, rawBytes(key)]), 'buffer').subarray(0, 4);

const rawBytes = (key: SealPublicKey): Buffer => Buffer.from(key.text, 'base64url');
const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** `LOG_ORIGIN` differs from the name under which the log's checkpoints were signed. */
export class OtherOrigin extends Error {
  constructor(recorded: string, wanted: string) {
    super(
      `LOG_ORIGIN: the checkpoints of this log name it ${recorded}, not ${wanted}; its name cannot change, because ` +
        'witnesses would take it for another log',
    );
    this.name = 'OtherOrigin';
  }
}

/**
 * The name of the log in its checkpoints: the configured one, or one that is derived from the first event. Undefined
 * for an empty log without a configured name. Throws `OtherOrigin` if its checkpoints have another name.
 */
export const originOf = async (
  log: Pick<EventLog, 'readStream' | 'readLog'>,
  configured: string | undefined,
): Promise<string | undefined> => {
  const wanted = configured ?? (await derivedOrigin(log));
  for await (const { type, data } of newestEventsOfStream(log, SEALS, 1)) {
    const note = type === SEALED ? (data as { readonly checkpoint?: unknown }).checkpoint : undefined;
    if (typeof note !== 'string') continue;
    const recorded = note.slice(0, note.indexOf('\n'));
    if (wanted !== undefined && recorded !== wanted) throw new OtherOrigin(recorded, wanted);
    return recorded;
  }
  return wanted;
};

const derivedOrigin = async (log: Pick<EventLog, 'readLog'>): Promise<string | undefined> => {
  // A page may lack events although the log goes on: a server also holds other applications' events.
  for (let after = 0, atEnd = false; !atEnd; ) {
    const page = await log.readLog({ after, limit: 1 });
    const [first] = page.events;
    if (first !== undefined) return `log/${first.metadata.hash}`;
    ({ reached: after, atEnd } = page);
  }
  return undefined;
};
