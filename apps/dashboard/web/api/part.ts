import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isReachable } from './client.js';

const RELOADED = 'dashboard-reloaded-at';
/** Another failure so soon after a reload has another cause than a new build. */
const RELOAD_AGAIN_MS = 60_000;

const reloadOnce = (): boolean => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return false;
  sessionStorage.setItem(RELOADED, `${Date.now()}`);
  window.location.reload();
  return true;
};

const untilReachable = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = isReachable.subscribe(() => {
      if (!isReachable.get()) return;
      stop();
      resolve();
    });
    // Starts the watch of the connection, which asks every two seconds.
    isReachable.set(false);
  });

/**
 * Loads a part of the page. While the service does not answer, the page says so, and the part is loaded when it does. A part
 * that an answering service does not have belongs to an earlier build: the page is loaded again.
 */
export const part = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  try {
    return await load();
  } catch {
    await untilReachable();
  }
  try {
    return await load();
  } catch (error) {
    if (!reloadOnce()) throw error;
    return new Promise(() => undefined);
  }
};

/** A component that is loaded when it is first shown. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await part(load) }));
