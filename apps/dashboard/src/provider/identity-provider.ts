import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { type ClaimSource, claimAt, type ProviderTokens } from '#dashboard';
import { SECOND } from '#kernel';
import { DashboardAddress } from '../address.js';
import { DashboardOptions } from '../dashboard.options.js';
import { failureOf, LoginFailure } from './provider-failure.js';

/** Seconds by which the clocks of the provider and of this process may differ. */
const CLOCK_TOLERANCE = 30;
const METADATA = { [oidc.clockTolerance]: CLOCK_TOLERANCE };
const SIGNATURES = [
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`)),
  'EdDSA',
  'Ed25519',
];

/** What a login needs again when the person comes back. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Identity {
  readonly claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };
  readonly tokens: ProviderTokens;
}

interface Read {
  readonly idToken: oidc.IDToken | undefined;
  readonly userInfo: oidc.UserInfoResponse | undefined;
}

/**
 * The OpenID provider. Its addresses and keys are read again for each step, so that it may be down when the process
 * starts, and may change its keys at any time. Every method rejects with `LoginFailure`.
 */
@Injectable()
export class IdentityProvider {
  constructor(
    private readonly options: DashboardOptions,
    private readonly address: DashboardAddress,
  ) {}

  async begin(): Promise<{ readonly url: string; readonly checks: LoginChecks }> {
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const challenge = await oidc.calculatePKCECodeChallenge(checks.verifier);
    return this.ask((provider) => {
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: this.address.callback,
        scope: this.options.scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    });
  }

  /** The person of an authorization response, whose query this is. */
  finish(query: string, { state, nonce, verifier }: LoginChecks): Promise<Identity> {
    return this.ask(async (provider) => {
      const answer = await oidc.authorizationCodeGrant(provider, new URL(this.address.callback + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = answer.claims();
      if (idToken === undefined) throw new LoginFailure('refused', 'there was no id token');
      const tokens = { access: answer.access_token, refresh: answer.refresh_token ?? null, sources: [] };
      return this.identityOf(provider, idToken.sub, idToken, tokens);
    });
  }

  /** The same person as the provider sees them now: by a refresh token, or else by what the access token still opens. */
  renew(sub: string, tokens: ProviderTokens): Promise<Identity> {
    return this.ask(async (provider) => {
      if (tokens.refresh === null) return this.identityOf(provider, sub, undefined, tokens);
      const answer = await oidc.refreshTokenGrant(provider, tokens.refresh);
      const idToken = answer.claims();
      if (idToken !== undefined && idToken.sub !== sub) throw new LoginFailure('refused', 'the subject is another one');
      const refresh = answer.refresh_token ?? tokens.refresh;
      return this.identityOf(provider, sub, idToken, { ...tokens, access: answer.access_token, refresh });
    });
  }

  /** Where the browser ends its session at the provider; undefined if it has no such page. */
  logoutUrl(): Promise<string | undefined> {
    return this.ask((provider) => {
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: this.address.url }).href;
    });
  }

  /** Claims of the id token, with those of user info. Rejects if a source of claims that were read before is missing. */
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
    try {
      return await question(await this.discover());
    } catch (error) {
      throw failureOf(error);
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, providerTimeout } = this.options;
    return oidc.discovery(new URL(issuer), clientId, METADATA, authenticated(clientSecret), {
      timeout: providerTimeout / SECOND,
      execute: this.settings,
    });
  }

  /** It may be a JWT. The library takes only algorithms that the metadata name; here the provider's keys decide (D115). */
  private userInfoOf(provider: oidc.Configuration, accessToken: string, sub: string): Promise<oidc.UserInfoResponse> {
    const { supportsPKCE: _, ...server } = provider.serverMetadata();
    const signed = { ...server, userinfo_signing_alg_values_supported: SIGNATURES };
    const configuration = new oidc.Configuration(signed, this.options.clientId, METADATA);
    configuration.timeout = provider.timeout;
    for (const set of this.settings) set(configuration);
    return oidc.fetchUserInfo(configuration, accessToken, sub);
  }

  private get settings(): ((provider: oidc.Configuration) => void)[] {
    // Tokens that come straight from the provider would be believed without a check of their signature.
    const always = [oidc.enableNonRepudiationChecks];
    return new URL(this.options.issuer).protocol === 'http:' ? [...always, oidc.allowInsecureRequests] : always;
  }
}

/** HTTP Basic where the provider takes it, as that is the standard's default. */
const authenticated = (secret: string | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    (takesBasic ? basic : post)(server, client, body, headers);
  };
};

/** The sources of which each alone has one of these claims. */
const sourcesIn = ({ idToken, userInfo }: Read, names: readonly string[]): ClaimSource[] => {
  const hasMore = (one: object = {}, other: object = {}) =>
    names.some((name) => claimAt(one, name) !== undefined && claimAt(other, name) === undefined);
  return [
    ...(hasMore(idToken, userInfo) ? (['idToken'] as const) : []),
    ...(hasMore(userInfo, idToken) ? (['userInfo'] as const) : []),
  ];
};
