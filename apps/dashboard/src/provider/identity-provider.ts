import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import type { ProviderTokens } from '#dashboard';
import { SECOND } from '#kernel';
import { DashboardAddress } from '../address.js';
import { DashboardOptions } from '../dashboard.options.js';
import { LoginFailure } from './login-failure.js';
import { failureOf } from './provider-failure.js';

/** Seconds by which the clocks of the provider and of this process may differ. */
const CLOCK_TOLERANCE = 30;
const SCOPE = 'openid profile';

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
        scope: SCOPE,
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
      const claims = answer.claims();
      if (claims === undefined) throw new LoginFailure('refused', 'there was no id token');
      return identityOf(provider, { ...claims }, answer.access_token, answer.refresh_token);
    });
  }

  /** The same person as the provider sees them now: by a refresh token, or else by what the access token still opens. */
  renew(sub: string, tokens: ProviderTokens): Promise<Identity> {
    return this.ask(async (provider) => {
      const iss = provider.serverMetadata().issuer;
      if (tokens.refresh === null) return identityOf(provider, { iss, sub }, tokens.access, undefined);
      const answer = await oidc.refreshTokenGrant(provider, tokens.refresh);
      const claims = answer.claims();
      if (claims !== undefined && claims.sub !== sub) throw new LoginFailure('refused', 'the subject is another one');
      const refresh = answer.refresh_token ?? tokens.refresh;
      return identityOf(provider, { iss, sub, ...claims }, answer.access_token, refresh);
    });
  }

  /** Where the browser ends its session at the provider; undefined if it has no such page. */
  logoutUrl(): Promise<string | undefined> {
    return this.ask((provider) => {
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: this.address.url }).href;
    });
  }

  private async ask<Answer>(question: (provider: oidc.Configuration) => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await question(await this.discover());
    } catch (error) {
      throw failureOf(error);
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, timeout } = this.options.provider;
    const server = new URL(issuer);
    const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE };
    return oidc.discovery(server, clientId, metadata, authenticated(clientSecret), {
      timeout: timeout / SECOND,
      // Tokens that come straight from the provider would be believed without a check of their signature.
      execute: [oidc.enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
    });
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

/** Claims of the id token, with those that only the provider's user info has. */
const identityOf = async (
  provider: oidc.Configuration,
  claims: Identity['claims'],
  access: string,
  refresh: string | undefined,
): Promise<Identity> => {
  const hasInfo = provider.serverMetadata().userinfo_endpoint !== undefined;
  const info = hasInfo ? await oidc.fetchUserInfo(provider, access, claims.sub) : {};
  return {
    claims: { ...claims, ...info, iss: claims.iss, sub: claims.sub },
    tokens: { access, refresh: refresh ?? null },
  };
};
