import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentMethod } from '../contract/types.js';
import { escaped, htmlHeaders, htmlPage as page } from '../html.js';
import { billingPath, billingSession, changeMethods, SAMPLE_METHODS } from '../platform/billing.js';
import { agencyOf } from '../platform/membership.js';
import { Refusal } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';
import type { BillingSessionRecord } from '../state/records.js';
import type { World } from '../state/world.js';

const HEADERS = htmlHeaders("form-action 'self'");

/** The platform's own page for payment methods. A browser comes here, so the session in the address is its only key. */
export function billingPages(app: FastifyInstance, core: SandboxCore): void {
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    );
    pages.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Refusal)) throw error;
      return reply.code(error.status).headers(HEADERS).send(page('Expired', '<p>This page has expired.</p>'));
    });
    const sessionOf = (request: FastifyRequest, world: World) =>
      billingSession(world, (request.params as { session: string }).session);
    const config = { isOpen: true };
    pages.get(billingPath(':session'), { config }, (request, reply) =>
      core.apply((world) => show(reply, world, sessionOf(request, world))),
    );
    pages.post(`${billingPath(':session')}/:action`, { config }, (request, reply) =>
      core.apply((world) => {
        const session = sessionOf(request, world);
        const choice = new URLSearchParams(String(request.body ?? '')).get('choice') ?? '';
        changeMethods(world, session.agency_id, (request.params as { action: string }).action, choice);
        return reply.redirect(billingPath(session.id), 303);
      }),
    );
  });
}

function show(reply: FastifyReply, world: World, session: BillingSessionRecord): FastifyReply {
  const agency = agencyOf(world, session.agency_id);
  const methods = (agency.payment_methods ?? []).map((method) => `<li>${methodItem(session, method)}</li>`);
  const samples = SAMPLE_METHODS.map(
    ({ label }, at) => `<li>${button(session, 'add', String(at), `Add ${label}`)}</li>`,
  );
  const body = [
    `<p>${escaped(agency.name)}. This is the sandbox: nothing is charged, and no number is asked for.</p>`,
    methods.length === 0 ? '<p>No payment method.</p>' : `<ul>${methods.join('')}</ul>`,
    `<h2>Add</h2><ul>${samples.join('')}</ul>`,
    `<p><a href="${escaped(session.return_url)}">Return to the dashboard</a></p>`,
  ];
  return reply.headers(HEADERS).send(page('Payment methods', body.join('')));
}

function methodItem(session: BillingSessionRecord, { id, label, expires, is_default }: PaymentMethod): string {
  const until = expires ? `, until ${escaped(expires)}` : '';
  const remove = button(session, 'remove', id, `Remove ${label}`);
  if (is_default) return `${escaped(label)}${until} (default) ${remove}`;
  return `${escaped(label)}${until} ${button(session, 'default', id, `Make ${label} the default`)} ${remove}`;
}

function button({ id }: BillingSessionRecord, action: string, choice: string, label: string): string {
  const target = escaped(`${billingPath(id)}/${action}`);
  return `<form method="post" action="${target}"><button name="choice" value="${escaped(choice)}">${escaped(label)}</button></form>`;
}
