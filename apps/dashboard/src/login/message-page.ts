import type { FastifyReply } from 'fastify';
import type { LoginProblem } from '#dashboard';
import { setPageHeaders } from '../serving/page-server.js';

const TEXTS: Readonly<Record<LoginProblem, readonly [status: number, text: string]>> = {
  expired: [400, 'This sign-in was not started in this browser, or it took longer than ten minutes.'],
  refused: [403, 'The identity provider did not confirm who you are.'],
  too_many: [
    429,
    'Too many sign-ins were started from your network within a minute. Wait a minute before you try again.',
  ],
  framed: [403, 'Signing in needs a separate page. It does not start in a frame or in the background.'],
  unavailable: [503, 'The identity provider cannot be reached at the moment.'],
};

/** A page without scripts, for when the application cannot run. */
export const sendLoginProblem = (reply: FastifyReply, problem: LoginProblem, loginPath: string): void => {
  const [status, text] = TEXTS[problem];
  if (problem === 'too_many') reply.header('retry-after', 60);
  const alert = `<p role="alert">${text} <span>Request ID: ${reply.request.id}</span></p>`;
  send(reply.status(status), 'Sign-in failed', `${alert}${linkTo(loginPath, 'Try again')}`);
};

export const sendSignedOut = (reply: FastifyReply, loginPath: string): void =>
  send(reply, 'Signed out', `<p>You are signed out.</p>${linkTo(loginPath, 'Sign in')}`);

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
