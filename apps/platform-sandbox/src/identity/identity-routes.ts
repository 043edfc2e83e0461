import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { escaped, htmlHeaders, htmlPage } from '../html.js';
import type { SandboxCore } from '../sandbox-core.js';
import { createProvider, IDENTITY_PATH } from './provider.js';

/** Sign-in is for browsers, so nothing here needs the sandbox's token. */
export function identityRoutes(app: FastifyInstance, core: SandboxCore): void {
  let made: Provider | undefined;
  // The issuer has the port, which is known when the server listens.
  const provider = () => {
    made ??= createProvider(`${app.listeningOrigin}${IDENTITY_PATH}`, core.world);
    return made;
  };
  app.register(async (routes) => {
    // The provider reads the bodies of its routes.
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

/** The provider finds the path under which it is mounted by the difference of the two. */
const mounted = (raw: FastifyRequest['raw']) =>
  Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(IDENTITY_PATH.length) });

function listOf({ world }: SandboxCore, uid: string): string {
  const people = [...world.people.values()].map(({ id, name, title }) => {
    const action = escaped(`${IDENTITY_PATH}/people/${uid}/${encodeURIComponent(id)}`);
    const label = title === '' ? name : `${name}, ${title}`;
    return `<li><form method="post" action="${action}"><button>${escaped(label)}</button></form></li>`;
  });
  return `<p>This is the sandbox: anybody may be anyone.</p><ul>${people.join('')}</ul>`;
}

async function signIn(provider: Provider, { raw, params }: FastifyRequest, reply: FastifyReply) {
  const { person } = params as { person: string };
  const next = await provider.interactionResult(raw, reply.raw, { login: { accountId: person } });
  return reply.redirect(next, 303);
}
