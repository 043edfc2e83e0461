import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

const SECRET = /^[\w-]{43}$/;

export type ClaimSource = 'idToken' | 'userInfo';

/** What the provider's claims are read with again. */
export interface ProviderTokens {
  readonly access: string;
  readonly refresh: string | null;
  /** Each of them alone gave some claim: without it the person would lose what the provider has not taken away. */
  readonly sources: readonly ClaimSource[];
}

/** The 256 random bits of a session's cookie. The store knows only their hash; all its keys derive from them. */
export class SessionSecret {
  private constructor(readonly text: string) {}

  static create(): SessionSecret {
    return new SessionSecret(randomBytes(32).toString('base64url'));
  }

  /** Undefined for a text that cannot be one. */
  static parse(text: string | undefined): SessionSecret | undefined {
    return text !== undefined && SECRET.test(text) ? new SessionSecret(text) : undefined;
  }

  get id(): string {
    return createHash('sha256').update(this.text).digest('hex');
  }

  /** The page sends it with each change. No other site can read it, and it says nothing about the cookie. */
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
