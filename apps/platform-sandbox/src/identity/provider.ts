import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Provider, { type Client, type Context } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { escaped, htmlHeaders, htmlPage } from '../html.js';
import type { SandboxCore } from '../sandbox-core.js';
import type { World } from '../state/world.js';

/** The dashboard as a client. It has no secret: this provider asks nobody for a password. */
export const DASHBOARD_CLIENT = { id: 'dashboard', secret: 'sandbox-dashboard' };

export const IDENTITY_PATH = '/oidc';

/** Covers the scopes that the dashboard requests, so that nobody is asked for consent. */
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

/** Sign-in is for browsers, so nothing here needs the sandbox's token. */
export function identityRoutes(app: FastifyInstance, core: SandboxCore): void {
  let made: Provider | undefined;
  // The issuer includes the port, which is known when the server listens.
  const provider = () => {
    made ??= createProvider(`${app.listeningOrigin}${IDENTITY_PATH}`, core.world);
    return made;
  };
  app.register(async (routes) => {
    // The provider reads the bodies of its routes itself.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const config = { isOpen: true };
    routes.all(`${IDENTITY_PATH}/*`, { config }, async ({ raw }, reply) => {
      reply.hijack();
      await provider().callback()(mounted(raw), reply.raw);
    });
    routes.get(`${IDENTITY_PATH}/people/:uid`, { config }, async ({ raw }, reply) => {
      const { uid } = await provider().interactionDetails(raw, reply.raw);
      return reply.headers(htmlHeaders('')).send(htmlPage('Sign in as', listOf(core, uid)));
    });
    routes.post(`${IDENTITY_PATH}/people/:uid/:person`, { config }, async (request, reply) =>
      signIn(provider(), request, reply),
    );
  });
}

/** The provider derives the path under which it is mounted from the difference of the two. */
const mounted = (raw: FastifyRequest['raw']) =>
  Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(IDENTITY_PATH.length) });

function listOf({ world }: SandboxCore, uid: string): string {
  const people = [...world.people.values()].map(({ id, name, title }) => {
    const action = escaped(`${IDENTITY_PATH}/people/${uid}/${encodeURIComponent(id)}`);
    const label = title === '' ? name : `${name}, ${title}`;
    return `<li><form method="post" action="${action}"><button>${escaped(label)}</button></form></li>`;
  });
  return `<p>This is the sandbox: choose anyone.</p><ul>${people.join('')}</ul>`;
}

async function signIn(provider: Provider, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const { person } = params as { person: string };
  const next = await provider.interactionResult(raw, reply.raw, { login: { accountId: person } });
  return reply.redirect(next, 303);
}

/** An OpenID provider for the sandbox's people. Its keys and sessions are in memory. */
function createProvider(issuer: string, world: World): Provider {
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
    // The library wants an explicit decision on each, and otherwise prints a line to standard output.
    ttl: TTL,
    pkce: { required: () => true },
    issueRefreshToken: (_context: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `${IDENTITY_PATH}/people/${uid}` },
    loadExistingGrant: (context: Context) => grantOf(provider, context),
    findAccount: (_context: Context, id: string) => accountOf(world, id),
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource: showLogout } },
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

/** The form posts back to this provider, which may then redirect to the dashboard. */
function showLogout(context: Context, form: string): void {
  const button = '<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>';
  context.set(htmlHeaders(''));
  context.body = htmlPage('Sign out', `${form}<p>Sign out of the sandbox too?</p>${button}`);
}
