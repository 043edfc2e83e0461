import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type FillLane, StoreUnavailable } from '#kernel';
import { compiled } from '#threads';
import type { FillingSettings } from './filling.thread.js';
import type { StorePlaces } from './stores.js';

/** Read models of any size are made anew in little memory. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 };

/** Fills lanes in threads that open the same stores. */
export const fillingOver =
  ({ dataDir, masterKey, eventStoreDbUrl, mongoDbUrl }: StorePlaces): FillLane =>
  async (lane, signal, onProgress) => {
    signal.throwIfAborted();
    const workerData: FillingSettings = { lane, places: { dataDir, masterKey, eventStoreDbUrl, mongoDbUrl } };
    const module = compiled(new URL('./filling.thread.js', import.meta.url));
    const worker = new Worker(module, { workerData, resourceLimits: LIMITS });
    worker.on('message', onProgress);
    const end = () => worker.terminate();
    signal.addEventListener('abort', end);
    try {
      await once(worker, 'exit');
    } catch (error) {
      throw new StoreUnavailable('a thread that makes read models anew has failed', { cause: error });
    } finally {
      signal.removeEventListener('abort', end);
    }
    signal.throwIfAborted();
  };
