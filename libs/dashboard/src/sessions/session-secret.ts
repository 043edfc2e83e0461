import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

const SECRET = /^[\w-]{43}$/;
const RANDOM_BYTES = 24;
const MARK_BYTES = 8;

/** The current key marks new secrets. */
export abstract class SessionKeys {
  abstract readonly current: Buffer;
  abstract readonly all: readonly Buffer[];
}

export type ClaimSource = 'idToken' | 'userInfo';

/** The tokens with which the claims are read again. */
export interface ProviderTokens {
  readonly access: string;
  readonly refresh: string | null;
  /** Sources that alone gave some claim. Without one of them, the person would lose claims that the provider did not revoke. */
  readonly sources: readonly ClaimSource[];
}

/** The secret in a session's cookie: 192 random bits with a mark. The store has only its hash; all keys derive from it. */
export class SessionSecret {
  private constructor(readonly text: string) {}

  static create(keys: SessionKeys): SessionSecret {
    const random = randomBytes(RANDOM_BYTES);
    return new SessionSecret(Buffer.concat([random, markOf(random, keys.current)]).toString('base64url'));
  }

  static parse(text: string | undefined): SessionSecret | undefined {
    return text !== undefined && SECRET.test(text) ? new SessionSecret(text) : undefined;
  }

  /** Whether the service made the secret. If not, no session has it, and the store is not asked (D109). */
  isMarkedWith(keys: SessionKeys): boolean {
    const bytes = Buffer.from(this.text, 'base64url');
    const [random, mark] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
    return keys.all.some((key) => timingSafeEqual(markOf(random, key), mark));
  }

  get id(): string {
    return createHash('sha256').update(this.text).digest('hex');
  }

  /** The page sends it with each change. No other site can read it, and it reveals nothing about the cookie. */
  get csrfToken(): string {
    return this.derived('csrf token').toString('base64url');
  }

  isCsrfToken(text: string | undefined): boolean {
    const [sent, expected] = [text ?? '', this.csrfToken].map((each) => createHash('sha256').update(each).digest());
    return sent !== undefined && expected !== undefined && timingSafeEqual(sent, expected);
  }

  seal(tokens: ProviderTokens): Promise<string> {
    return new EncryptJWT({ ...tokens })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.derived('provider tokens'));
  }

  async open(sealed: string): Promise<ProviderTokens> {
    const { payload } = await jwtDecrypt<ProviderTokens>(sealed, this.derived('provider tokens'));
    // Sessions of an earlier version have no sources.
    const { access, refresh, sources = [] } = payload;
    return { access, refresh, sources };
  }

  private derived(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', Buffer.from(this.text, 'base64url'), '', `dashboard ${purpose}`, 32));
  }
}

const markOf = (random: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(random).digest().subarray(0, MARK_BYTES);
