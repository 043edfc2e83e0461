import { createHash, randomBytes } from 'node:crypto';
import { UnfinishedCopy } from '#kernel';
import { decrypt, encrypt, KEY_BYTES } from './encryption.js';
import type { PersonalKeyStore, WrappingKeys } from './ports.js';

const CONTEXT = 'sentinel';
const VERSION = 1;
const KEY_ID_BYTES = 8;
const NO_KEY = Buffer.alloc(KEY_ID_BYTES);
const BYTES = 1 + KEY_BYTES + KEY_ID_BYTES;

/** Takes its place while keys are copied into the store (D106). */
export const UNFINISHED = Buffer.from('unfinished copy');

export interface SentinelContent {
  readonly index: number;
  /** The key of the hashes of erased creators (D72). It survives a rotation of the master key. */
  readonly hashKey: Buffer;
  /** D85: a rotation has begun but not ended. The id of the earlier key, which is still needed. */
  readonly replacing: string | undefined;
}

/** D71: decrypts with this installation's master key only, and says which one encrypts during a rotation (D85). */
export class Sentinel {
  constructor(
    private readonly store: PersonalKeyStore,
    private readonly keys: WrappingKeys,
  ) {}

  /** Undefined if the store has none; `foreign` if none of the keys encrypted it. Rejects with `UnfinishedCopy`. */
  async read(): Promise<SentinelContent | 'foreign' | undefined> {
    const stored = await this.store.sentinel();
    if (stored?.equals(UNFINISHED)) throw new UnfinishedCopy();
    return stored === undefined ? undefined : (this.decrypted(stored) ?? 'foreign');
  }

  async make(index: number): Promise<SentinelContent | 'foreign'> {
    const made = this.encrypted({ index, hashKey: randomBytes(KEY_BYTES), replacing: undefined });
    return this.decrypted(await this.store.addSentinel(made)) ?? 'foreign';
  }

  /** Begins a rotation: the first key encrypts from now on. It may be repeated. */
  begin(): Promise<void> {
    const replaced = this.keys.all[1];
    return this.change((now) =>
      now.index === 0 || replaced === undefined ? undefined : { ...now, index: 0, replacing: wrappingKeyId(replaced) },
    );
  }

  end(): Promise<void> {
    return this.change((now) => (now.replacing === undefined ? undefined : { ...now, replacing: undefined }));
  }

  private async change(next: (now: SentinelContent) => SentinelContent | undefined): Promise<void> {
    for (;;) {
      const stored = await this.store.sentinel();
      const now = stored && this.decrypted(stored);
      if (stored === undefined || now === undefined)
        throw new Error('the sentinel of the key store cannot be decrypted');
      const changed = next(now);
      if (changed === undefined || (await this.store.replaceSentinel(stored, this.encrypted(changed)))) return;
    }
  }

  private encrypted({ index, hashKey, replacing }: SentinelContent): Buffer {
    const key = this.keys.all[index];
    if (key === undefined) throw new RangeError(`there is no key ${index}`);
    const id = replacing === undefined ? NO_KEY : Buffer.from(replacing, 'hex');
    return encrypt(Buffer.concat([Buffer.of(VERSION), hashKey, id]), key, CONTEXT);
  }

  private decrypted(stored: Buffer): SentinelContent | undefined {
    for (const [index, key] of this.keys.all.entries()) {
      const plain = decrypt(stored, key, CONTEXT);
      if (plain?.length !== BYTES || plain[0] !== VERSION) continue;
      const id = plain.subarray(1 + KEY_BYTES);
      const replacing = id.equals(NO_KEY) ? undefined : id.toString('hex');
      return { index, hashKey: plain.subarray(1, 1 + KEY_BYTES), replacing };
    }
    return undefined;
  }
}

export const wrappingKeyId = (key: Buffer): string =>
  createHash('sha256').update('wrapping key').update(key).digest().subarray(0, KEY_ID_BYTES).toString('hex');
