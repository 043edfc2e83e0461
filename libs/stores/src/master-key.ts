import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { parseMasterKey } from '#configuration';
import { masterKeyText } from './master-key-file.js';

const KEY_BYTES = 32;

/** The key that all processes over this data directory share; the first of them creates it. */
export const storedMasterKey = (dataDir: string): Buffer => {
  const file = join(dataDir, 'master.key');
  const key = parseMasterKey(masterKeyText(file));
  if (key === undefined) throw new Error(`${file} does not hold 32 bytes in base64`);
  return key;
};

/** A key for one purpose. It reveals neither the master key nor the keys for other purposes. */
export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
