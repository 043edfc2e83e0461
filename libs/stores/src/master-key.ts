import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { parseMasterKey } from '#configuration';
import { masterKeyText } from './master-key-file.js';

const KEY_BYTES = 32;

/** The key that all processes over this data directory share; made by the first of them. */
export const storedMasterKey = (dataDir: string): Buffer => {
  const file = join(dataDir, 'master.key');
  const key = parseMasterKey(masterKeyText(file));
  if (key === undefined) throw new Error(`${file} does not hold 32 bytes in base64`);
  return key;
};

/** A key for one purpose, which tells nothing of the master key or of those for others. */
export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
