import { parentPort, workerData } from 'node:worker_threads';
import { fillHere, type Lane, type LaneProgress } from '#kernel';
import { ALL_PROJECTIONS } from '#read-models';
import { openStores, type StorePlaces } from './stores.js';

/** What a thread is given that fills a lane. */
export interface FillingSettings {
  readonly lane: Lane;
  readonly places: StorePlaces;
}

const { lane, places } = workerData as FillingSettings;
// Between threads a buffer becomes an array of bytes.
const masterKey = places.masterKey && Buffer.from(places.masterKey);
const stores = await openStores({ ...places, masterKey });
const tell = ({ reached, seen }: LaneProgress): void => parentPort?.postMessage({ reached, seen });
await fillHere(lane, ALL_PROJECTIONS, stores.log, stores.documents, tell);
await stores.close();
