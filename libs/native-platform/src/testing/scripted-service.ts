import { afterAll, afterEach } from '@jest/globals';
import { ScriptedPlatform } from '../../../testing/src/scripted-platform.js';
import { createNativePlatform, type NativePlatform, type NativePlatformOptions } from '../native-platform.js';

/** A service with scripted answers for the tests of one file. Its clients are closed after each test. */
export const scriptedService = async () => {
  const service = await ScriptedPlatform.start();
  const opened: NativePlatform[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((platform) => platform.close()));
  });
  afterAll(() => service.close());
  const connect = (options: Partial<NativePlatformOptions> = {}): NativePlatform => {
    const address = { url: service.url, token: 'token' };
    const addresses = { platform: address, engine: address, search: address };
    const platform = createNativePlatform({ ...addresses, timeout: 10_000, ...options });
    opened.push(platform);
    return platform;
  };
  return { service, connect };
};
