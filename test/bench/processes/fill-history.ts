import { sendToParent, settingsOf } from '../../support/child-process.js';
import { openEmbeddedStores } from '../embedded-stores.js';
import { fillWithHistory } from '../history.js';

export interface FillHistorySettings {
  readonly dir: string;
  readonly events: number;
}

/** Fills the embedded log with a history, in a process whose memory is then given back. */
const { dir, events } = await settingsOf<FillHistorySettings>();
const stores = openEmbeddedStores(dir);
await fillWithHistory(stores.log, events);
await stores.close();
sendToParent({});
