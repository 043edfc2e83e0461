import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { OpenIdProvider } from './service.js';

const CLIENT = { clientId: 'dashboard', clientSecret: 'wayward-secret' };

interface Keys {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** The provider's faults; none by default. */
export interface Ways {
  /** Changes the claims of the id token. */
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Signs with a key that it does not publish. */
  isForged?: boolean;
  /** Says in the token that it is not signed. */
  isUnsigned?: boolean;
  /** Sends the first id token that it ever made, each time. */
  isReplayed?: boolean;
  /** The state that it sends back. */
  state?: string;
  /** The status codes that its addresses answer, by path. */
  status?: Readonly<Record<string, number>>;
  /** Addresses that never answer. */
  hangs?: readonly string[];
  /** Its tokens are not given before. */
  tokensAfter?: Promise<void>;
  /** The person of its user info, if it is another one. */
  infoOf?: string;
  /** Additional claims in its user info. */
  info?: object;
  /** Its user info is a JWT of that algorithm; its metadata do not say so. */
  signsInfo?: string;
  /** The key of that JWT is not published. */
  forgesInfo?: boolean;
  /** Its user info says that only if this scope was asked for. */
  infoOfScope?: readonly [scope: string, info: object];
  /** It has no user info. */
  hasNoInfo?: boolean;
  /** It gives no refresh tokens. */
  hasNoRefresh?: boolean;
  /** It gives refresh tokens for the scope `offline_access` only. */
  refreshesOffline?: boolean;
  /** It answers refresh tokens without an id token. */
  refreshesAccessOnly?: boolean;
}

/** An OpenID provider that signs in one person, without a question, and misbehaves as a test wants it. */
export class WaywardProvider {
  ways: Ways = {};
  readonly subject = '5f0c1a52-5d0f-4a39-9a93-0f6a1a7b9d11';
  /** All tokens and codes that it has given out. */
  readonly secrets: string[] = [];
  /** The refresh tokens that it was asked with. It takes each of them once. */
  readonly refreshed: string[] = [];
  private firstToken: string | undefined;
  private nonce = '';
  private scopes: readonly string[] = [];
  private readonly infoKeys: JWK[] = [];

  private constructor(
    private readonly server: Server,
    private keys: Keys,
    readonly issuer: string,
  ) {}

  static async start(): Promise<WaywardProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new WaywardProvider(server, await newKeys(), issuer);
    server.on('request', (request, response) => void provider.answer(request, response));
    return provider;
  }

  get client(): OpenIdProvider {
    return { issuer: this.issuer, ...CLIENT };
  }

  async changeKeys(): Promise<void> {
    this.keys = await newKeys();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await buffer(request)).toString());
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    if (this.ways.hangs?.includes(pathname)) return;
    const status = this.ways.status?.[pathname] ?? 200;
    if (pathname === '/auth') {
      this.nonce = searchParams.get('nonce') ?? '';
      this.scopes = searchParams.get('scope')?.split(' ') ?? [];
      response.writeHead(303, { location: this.backTo(searchParams) }).end();
      return;
    }
    const refresh = form.get('refresh_token');
    if (status === 200 && refresh !== null) this.refreshed.push(refresh);
    if (pathname === '/token') await this.ways.tokensAfter;
    const isReused = refresh !== null && this.refreshed.indexOf(refresh) !== this.refreshed.lastIndexOf(refresh);
    const answer = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { signsInfo } = this.ways;
    if (pathname === '/userinfo' && status === 200 && signsInfo !== undefined) {
      response.writeHead(200, { 'content-type': 'application/jwt' }).end(await this.signedInfo(signsInfo));
      return;
    }
    if (isReused) answer(400, { error: 'invalid_grant' });
    else answer(status, status === 200 ? await this.bodyOf(pathname, refresh !== null) : { error: 'server_error' });
  }

  private backTo(asked: URLSearchParams): string {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', this.given('code'));
    back.searchParams.set('state', this.ways.state ?? asked.get('state') ?? '');
    return back.href;
  }

  private async bodyOf(path: string, isRefresh: boolean): Promise<object> {
    if (path === '/.well-known/openid-configuration') return this.metadata();
    if (path === '/userinfo') return this.info();
    if (path === '/jwks') {
      const key = { ...(await exportJWK(this.keys.publicKey)), kid: this.keys.id, alg: 'ES256', use: 'sig' };
      return { keys: [key, ...this.infoKeys] };
    }
    return {
      token_type: 'Bearer',
      expires_in: 3_600,
      access_token: this.given('access'),
      ...(this.givesRefresh && { refresh_token: this.given('refresh') }),
      ...((!isRefresh || this.ways.refreshesAccessOnly !== true) && { id_token: await this.idToken() }),
    };
  }

  private get givesRefresh(): boolean {
    const { hasNoRefresh, refreshesOffline } = this.ways;
    return hasNoRefresh !== true && (refreshesOffline !== true || this.scopes.includes('offline_access'));
  }

  private info(): JWTPayload {
    const [scope = '', info] = this.ways.infoOfScope ?? [];
    const ofScope = this.scopes.includes(scope) ? info : {};
    return { sub: this.ways.infoOf ?? this.subject, name: 'Wanda Wayward', ...this.ways.info, ...ofScope };
  }

  private async signedInfo(alg: string): Promise<string> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const kid = crypto.randomUUID();
    if (this.ways.forgesInfo !== true) this.infoKeys.push({ ...(await exportJWK(publicKey)), kid, use: 'sig' });
    return new SignJWT(this.info()).setProtectedHeader({ alg, kid }).sign(privateKey);
  }

  private metadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      token_endpoint: `${this.issuer}/token`,
      ...(this.ways.hasNoInfo !== true && { userinfo_endpoint: `${this.issuer}/userinfo` }),
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  private async idToken(): Promise<string> {
    const { claims = (right) => right, isForged, isUnsigned, isReplayed } = this.ways;
    if (isReplayed === true && this.firstToken !== undefined) return this.firstToken;
    const now = Math.floor(Date.now() / 1_000);
    const right = {
      iss: this.issuer,
      sub: this.subject,
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 300,
      nonce: this.nonce,
    };
    const payload = claims(right);
    const { privateKey } = isForged === true ? await newKeys() : this.keys;
    const signed = await new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: this.keys.id }).sign(privateKey);
    const token = isUnsigned === true ? unsigned(payload) : signed;
    this.firstToken ??= token;
    this.secrets.push(token);
    return token;
  }

  private given(kind: string): string {
    const secret = `${kind}-${crypto.randomUUID()}`;
    this.secrets.push(secret);
    return secret;
  }
}

const newKeys = async (): Promise<Keys> => ({ id: crypto.randomUUID(), ...(await generateKeyPair('ES256')) });

const unsigned = (payload: JWTPayload): string => {
  const [header, body] = [{ alg: 'none' }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${body}.`;
};
