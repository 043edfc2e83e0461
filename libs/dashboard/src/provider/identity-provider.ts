import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { type Duration, SECOND } from '#kernel';
import type { ClaimNames } from '../people/person.js';
import { claimAt } from '../people/person.js';
import type { ClaimSource, ProviderTokens } from '../sessions/session-secret.js';
import { failureOf, LoginFailure } from './login-failure.js';

export abstract class ProviderOptions {
  /** The dashboard's public address, which ends in `/dashboard`. */
  abstract readonly url: string;
  abstract readonly issuer: string;
  abstract readonly clientId: string;
  abstract readonly clientSecret: string | undefined;
  abstract readonly scope: string;
  abstract readonly providerTimeout: Duration;
  abstract readonly claims: ClaimNames;
}

/** In seconds. */
const CLOCK_TOLERANCE = 30;
const METADATA = { [oidc.clockTolerance]: CLOCK_TOLERANCE };
const SIGNATURES = [
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`)),
  'EdDSA',
  'Ed25519',
];

/** Values that the provider's response is checked against. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Identity {
  readonly claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };
  readonly tokens: ProviderTokens;
}

interface Read {
  readonly idToken: oidc.IDToken | undefined;
  readonly userInfo: oidc.UserInfoResponse | undefined;
}

/**
 * The OpenID provider. Each step discovers its addresses and keys again, so that it may be down when the process starts,
 * and may change its keys at any time. Every method rejects with `LoginFailure`.
 */
@Injectable()
export class IdentityProvider {
  private readonly callback: string;

  constructor(private readonly options: ProviderOptions) {
    this.callback = `${options.url}/callback`;
  }

  async begin(): Promise<{ readonly url: string; readonly checks: LoginChecks }> {
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const challenge = await oidc.calculatePKCECodeChallenge(checks.verifier);
    return this.ask((provider) => {
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: this.callback,
        scope: this.options.scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    });
  }

  /** Takes the query of an authorization response. */
  finish(query: string, { state, nonce, verifier }: LoginChecks): Promise<Identity> {
    return this.ask(async (provider) => {
      const answer = await oidc.authorizationCodeGrant(provider, new URL(this.callback + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = answer.claims();
      if (idToken === undefined) throw new LoginFailure('refused', 'there was no ID token');
      const tokens = { access: answer.access_token, refresh: answer.refresh_token ?? null, sources: [] };
      return this.identityOf(provider, idToken.sub, idToken, tokens);
    });
  }

  /** Reads the claims of a person again, with the refresh token or else the access token. */
  renew(sub: string, tokens: ProviderTokens): Promise<Identity> {
    return this.ask(async (provider) => {
      if (tokens.refresh === null) return this.identityOf(provider, sub, undefined, tokens);
      const answer = await oidc.refreshTokenGrant(provider, tokens.refresh);
      const idToken = answer.claims();
      if (idToken !== undefined && idToken.sub !== sub) throw new LoginFailure('refused', 'the subject has changed');
      const refresh = answer.refresh_token ?? tokens.refresh;
      return this.identityOf(provider, sub, idToken, { ...tokens, access: answer.access_token, refresh });
    });
  }

  /** The address that ends the browser's session at the provider, if the provider has one. */
  logoutUrl(): Promise<string | undefined> {
    return this.ask((provider) => {
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: this.options.url }).href;
    });
  }

  /** Merges the claims of id token and user info. Rejects if a source of claims that were read before is missing. */
  private async identityOf(
    provider: oidc.Configuration,
    sub: string,
    idToken: oidc.IDToken | undefined,
    tokens: ProviderTokens,
  ): Promise<Identity> {
    const { issuer, userinfo_endpoint } = provider.serverMetadata();
    const hasInfo = userinfo_endpoint !== undefined;
    const userInfo = hasInfo ? await this.userInfoOf(provider, tokens.access, sub) : undefined;
    const read = { idToken, userInfo };
    const isUnknown = idToken === undefined && userInfo === undefined;
    if (isUnknown || tokens.sources.some((source) => read[source] === undefined)) {
      throw new LoginFailure('refused', 'the source of its claims is missing: id token or user info');
    }
    return {
      claims: { ...idToken, ...userInfo, iss: idToken?.iss ?? issuer, sub },
      tokens: { ...tokens, sources: sourcesIn(read, Object.values(this.options.claims)) },
    };
  }

  private async ask<Answer>(question: (provider: oidc.Configuration) => Answer | Promise<Answer>): Promise<Answer> {
    const { issuer, clientId, clientSecret, providerTimeout } = this.options;
    try {
      const provider = await oidc.discovery(new URL(issuer), clientId, METADATA, authenticated(clientSecret), {
        timeout: providerTimeout / SECOND,
        execute: this.settings,
      });
      return await question(provider);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** User info may be a JWT. The library accepts only algorithms in the metadata; here the keys decide (D115). */
  private userInfoOf(provider: oidc.Configuration, accessToken: string, sub: string): Promise<oidc.UserInfoResponse> {
    const { supportsPKCE: _, ...server } = provider.serverMetadata();
    const signed = { ...server, userinfo_signing_alg_values_supported: SIGNATURES };
    const configuration = new oidc.Configuration(signed, this.options.clientId, METADATA);
    configuration.timeout = provider.timeout;
    for (const set of this.settings) set(configuration);
    return oidc.fetchUserInfo(configuration, accessToken, sub);
  }

  private get settings(): ((provider: oidc.Configuration) => void)[] {
    // Without this, the library does not check the signatures of tokens that come straight from the provider.
    const always = [oidc.enableNonRepudiationChecks];
    return new URL(this.options.issuer).protocol === 'http:' ? [...always, oidc.allowInsecureRequests] : always;
  }
}

/** Uses HTTP Basic if the provider takes it, because it is the standard's default. */
const authenticated = (secret: string | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    (takesBasic ? basic : post)(server, client, body, headers);
  };
};

/** The sources that alone have one of these claims. */
const sourcesIn = ({ idToken, userInfo }: Read, names: readonly string[]): ClaimSource[] => {
  const hasMore = (one: object = {}, other: object = {}) =>
    names.some((name) => claimAt(one, name) !== undefined && claimAt(other, name) === undefined);
  return [
    ...(hasMore(idToken, userInfo) ? (['idToken'] as const) : []),
    ...(hasMore(userInfo, idToken) ? (['userInfo'] as const) : []),
  ];
};
