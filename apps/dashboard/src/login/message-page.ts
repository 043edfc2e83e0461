import type { FastifyReply } from 'fastify';
import { MINUTE, SECOND } from '#kernel';
import type { LoginProblem } from '../provider/provider-failure.js';
import { setPageHeaders } from '../serving/page-headers.js';

const TEXTS: Readonly<Record<LoginProblem, { readonly status: number; readonly text: string }>> = {
  expired: { status: 400, text: 'This sign-in was not started in this browser, or it took longer than ten minutes.' },
  refused: { status: 403, text: 'The identity provider did not confirm who you are.' },
  too_many: {
    status: 429,
    text: 'Too many sign-ins were started from your network within a minute. Wait a minute before you try again.',
  },
  framed: {
    status: 403,
    text: 'Signing in needs a separate page. It does not start in a frame or in the background.',
  },
  unavailable: { status: 503, text: 'The identity provider cannot be reached at the moment.' },
};

/** A page without scripts, for the moments in which the application cannot run. */
export const sendLoginProblem = (reply: FastifyReply, problem: LoginProblem, loginPath: string): void => {
  const { status, text } = TEXTS[problem];
  const requestId = reply.request.id;
  if (problem === 'too_many') reply.header('retry-after', MINUTE / SECOND);
  const alert = `<p role="alert">${text} <span>Request ID: ${requestId}</span></p>`;
  send(reply.status(status), 'Sign-in failed', `${alert}${linkTo(loginPath, 'Try again')}`);
};

export const sendSignedOut = (reply: FastifyReply, loginPath: string): void =>
  send(reply.status(200), 'Signed out', `<p>You are signed out.</p>${linkTo(loginPath, 'Sign in')}`);

const linkTo = (path: string, text: string): string => `<p><a href="${escaped(path)}">${text}</a></p>`;

const send = (reply: FastifyReply, title: string, content: string): void => {
  setPageHeaders(reply, undefined);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title>`;
  reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${title}</h1>${content}</main></body></html>`,
    );
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
