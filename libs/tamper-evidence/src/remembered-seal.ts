import type { SealedEvent } from './seal.js';
import type { SealKey, SealPublicKey } from './seal-key.js';

/** What the key store remembers of the log's last seal (D91). */
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

export const signedBy = (key: SealKey, { id, count, root }: Unsigned): RememberedSeal => ({
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
