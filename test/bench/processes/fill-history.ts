import { withHashChain } from '#tamper-evidence';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { openEmbeddedStores } from '../embedded-stores.js';
import { fillWithHistory } from '../history.js';

export interface FillHistorySettings {
  readonly dir: string;
  readonly events: number;
  /** With the chain of hashes that seals and proofs need. */
  readonly isChained?: boolean;
}

/** Fills the embedded log with a history, in a process whose memory is then given back. */
const { dir, events, isChained } = await settingsOf<FillHistorySettings>();
const stores = openEmbeddedStores(dir);
await fillWithHistory(isChained ? withHashChain(stores.log) : stores.log, events);
await stores.close();
sendToParent({});
