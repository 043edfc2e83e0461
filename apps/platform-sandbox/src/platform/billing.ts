import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '#kernel';
import type { PaymentMethod } from '../contract/types.js';
import { escaped, htmlHeaders, htmlPage as page } from '../html.js';
import { bodyOf, notFound, type Operations, ok, Refusal } from '../operation.js';
import type { SandboxCore } from '../sandbox-core.js';
import type { AgencyRecord, BillingSessionRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { agencyOf } from './creators.js';

const VALID_FOR = 15 * MINUTE;
const MAX_METHODS = 100;

export const billingOperations: Operations = {
  listPaymentMethods: (world, { agencyId }) => ok({ data: offeredTo(world, agencyId).payment_methods ?? [] }),

  createBillingSession(world, call) {
    const { id: agency_id } = offeredTo(world, call.agencyId);
    const { return_url } = bodyOf<{ return_url: string }>(call);
    if (!/^https?:$/.test(new URL(return_url).protocol)) {
      throw new Refusal(422, 'return_url_rejected', 'The return address is not a web page.');
    }
    const id = world.newId('bill');
    const expires_at = world.now() + VALID_FOR;
    world.billingSessions.put({ id, agency_id, return_url, expires_at });
    return { status: 201, body: { url: call.origin + billingPath(id), expires_at } };
  },
};

/** The contract's billing operations are optional: a control takes them away from an agency. */
function offeredTo(world: World, agencyId: string): AgencyRecord {
  const agency = agencyOf(world, agencyId);
  if (agency.billing_offered === false) {
    throw new Refusal(404, 'not_offered', 'This platform shows no payment methods.');
  }
  return agency;
}

const billingPath = (sessionId: string) => `/billing/${sessionId}`;

function sessionOf({ params }: FastifyRequest, world: World): BillingSessionRecord {
  const session = world.billingSessions.get((params as { session: string }).session);
  if (!session || session.expires_at <= world.now()) throw notFound('billing page');
  return session;
}

/** The payment methods that the hosted page offers, because nobody enters a real number in a sandbox. */
export const SAMPLE_METHODS: readonly Omit<PaymentMethod, 'id' | 'is_default'>[] = [
  { kind: 'card', label: 'Visa •••• 4242', expires: '2029-04' },
  { kind: 'card', label: 'Mastercard •••• 4444', expires: '2028-11' },
  { kind: 'sepa_debit', label: 'SEPA direct debit •••• 3000', expires: null },
];

function changeMethods(world: World, agencyId: string, action: string, choice: string): void {
  const agency = agencyOf(world, agencyId);
  const methods = agency.payment_methods ?? [];
  const isKnown = methods.some(({ id }) => id === choice);
  const sample = SAMPLE_METHODS[Number(choice)];
  let payment_methods = methods;
  if (action === 'add' && sample && methods.length < MAX_METHODS) {
    payment_methods = [...methods, { ...sample, id: world.newId('pm'), is_default: false }];
  }
  if (action === 'remove') payment_methods = methods.filter(({ id }) => id !== choice);
  if (action === 'default' && isKnown) {
    payment_methods = methods.map((method) => ({ ...method, is_default: method.id === choice }));
  }
  // If none is the default, the first one becomes it.
  if (!payment_methods.some(({ is_default }) => is_default)) {
    payment_methods = payment_methods.map((method, at) => ({ ...method, is_default: at === 0 }));
  }
  world.agencies.put({ ...agency, payment_methods });
}

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
    `<p>${escaped(agency.name)}. This is the sandbox: nothing is charged, and no card number is needed.</p>`,
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
