import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Provider, { type Client, type Context } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { htmlHeaders, htmlPage } from '../html.js';
import type { World } from '../state/world.js';

/** The client that the dashboard is, of which nothing is secret: this provider asks nobody for a password. */
export const DASHBOARD_CLIENT = { id: 'dashboard', secret: 'sandbox-dashboard' };

export const IDENTITY_PATH = '/oidc';

/** Covers the scopes that the dashboard asks for, so that nobody is asked to consent. */
const SCOPES = 'openid profile email';

const HOUR = 3_600;
/** Seconds. */
const TTL = {
  AccessToken: HOUR,
  AuthorizationCode: 60,
  Grant: 24 * HOUR,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: 24 * HOUR,
  Session: 24 * HOUR,
};

/** An OpenID provider for the sandbox's people. Its keys and sessions are in memory. */
export function createProvider(issuer: string, world: World): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(0),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [
      {
        client_id: DASHBOARD_CLIENT.id,
        client_secret: DASHBOARD_CLIENT.secret,
        redirect_uris: ['http://127.0.0.1:3000/dashboard/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: { openid: ['sub', 'agency_id', 'roles'], profile: ['name'] },
    scopes: SCOPES.split(' '),
    // The library asks for a decision on each, with a line on standard output.
    ttl: TTL,
    pkce: { required: () => true },
    issueRefreshToken: (_context: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `${IDENTITY_PATH}/people/${uid}` },
    loadExistingGrant: (context: Context) => grantOf(provider, context),
    findAccount: (_context: Context, id: string) => accountOf(world, id),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: showLogout },
    },
  });
  // The dashboard's port is not known here.
  provider.Client.prototype.redirectUriAllowed = (uri) => uri.endsWith('/dashboard/callback');
  provider.Client.prototype.postLogoutRedirectUriAllowed = (uri) => uri.endsWith('/dashboard');
  return provider;
}

function accountOf(world: World, id: string) {
  const person = world.people.get(id);
  if (person === undefined) return undefined;
  const { name, agency_id, roles } = person;
  const claims = { sub: id, name, roles, ...(agency_id !== null && { agency_id }) };
  return { accountId: id, claims: () => claims };
}

async function grantOf(provider: Provider, { oidc }: Context) {
  const { client, session, result } = oidc;
  const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const found = known === undefined ? undefined : await provider.Grant.find(known);
  if (found !== undefined) return found;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPES);
  await grant.save();
  return grant;
}

/** The form posts back to this provider, which may lead to the dashboard then. */
function showLogout(context: Context, form: string): void {
  const button = '<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>';
  context.set(htmlHeaders(''));
  context.body = htmlPage('Sign out', `${form}<p>Sign out of the sandbox too?</p>${button}`);
}
