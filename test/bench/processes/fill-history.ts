import { sendToParent, settingsOf } from '../../support/child-process.js';
import { type Layers, openEmbeddedStores } from '../embedded-stores.js';
import { fillWithHistory } from '../history.js';

export interface FillHistorySettings {
  readonly dir: string;
  readonly events: number;
  readonly layers: Layers;
}

/** Fills the embedded log with a history, in a process whose memory is then given back. */
const { dir, events, layers } = await settingsOf<FillHistorySettings>();
const stores = await openEmbeddedStores(dir, layers);
await fillWithHistory(stores.log, events);
await stores.close();
sendToParent({});
