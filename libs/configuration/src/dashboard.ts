import { makeValidator } from 'envalid';
import { isPlaintextHttp, NOT_ENCRYPTED } from './plaintext.js';
import { matching, parsedBy, requireClean } from './variables.js';

interface Variables {
  readonly ALLOW_PLAINTEXT: string | undefined;
  readonly DASHBOARD_URL: string | undefined;
  readonly OIDC_ISSUER_URL: string | undefined;
  readonly OIDC_CLIENT_ID: string | undefined;
  readonly OIDC_CLIENT_SECRET: string | undefined;
  readonly OIDC_SCOPE: string;
  readonly OIDC_SUBJECT_CLAIM: string;
  readonly OIDC_AGENCY_CLAIM: string;
  readonly OIDC_ROLES_CLAIM: string;
}

/** The issuer must match the one in the tokens exactly, including a trailing slash. */
export const issuerUrl = makeValidator((text) => {
  requireClean(text);
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) {
    throw new TypeError('must be an http or https URL without query or fragment');
  }
  return text;
});

/** A claim's own name, or a path to it such as `realm_access.roles`. */
export const claimName = matching(/^[\x21-\x7e]{1,200}$/, 'must be the name of a claim, without spaces');

/** In the form of RFC 6749. Without `openid` there would be no ID token. */
export const scopes = parsedBy(
  (text) => (/^[\x21\x23-\x5b\x5d-\x7e ]{1,1000}$/.test(text) && text.split(' ').includes('openid') ? text : undefined),
  'must be scopes separated by spaces, including openid',
);

export const dashboardProblems = (env: Variables, environment: NodeJS.ProcessEnv): string[] => {
  const isWithout = environment.OIDC_ISSUER_URL === undefined;
  if (isWithout) {
    return ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
      .filter((name) => environment[name] !== undefined)
      .map((name) => `OIDC_ISSUER_URL: is required with ${name}`);
  }
  const missing = ['DASHBOARD_URL', 'OIDC_CLIENT_ID'].filter((name) => environment[name] === undefined);
  const problems = missing.map((name) => `${name}: is required with OIDC_ISSUER_URL`);
  if (env.DASHBOARD_URL !== undefined && !isDashboardAddress(env.DASHBOARD_URL)) {
    problems.push('DASHBOARD_URL: must have the path /dashboard, and neither user, query nor fragment');
  }
  if (env.ALLOW_PLAINTEXT !== undefined) return problems;
  const plaintext = (['DASHBOARD_URL', 'OIDC_ISSUER_URL'] as const).filter((name) => isPlaintextHttp(env[name]));
  return [...problems, ...plaintext.map((name) => `${name}: ${NOT_ENCRYPTED}`)];
};

/** The cookies, the redirects and the page's own links all rely on this path. */
const isDashboardAddress = (text: string): boolean => {
  const { origin, href, pathname } = new URL(text);
  return pathname === '/dashboard' && href === `${origin}/dashboard`;
};

export const dashboardOf = (env: Variables) => {
  const { DASHBOARD_URL: url, OIDC_ISSUER_URL: issuer, OIDC_CLIENT_ID: clientId } = env;
  if (url === undefined || issuer === undefined || clientId === undefined) return undefined;
  return {
    url: new URL(url).href,
    issuer,
    clientId,
    clientSecret: env.OIDC_CLIENT_SECRET,
    scope: env.OIDC_SCOPE,
    claims: { subject: env.OIDC_SUBJECT_CLAIM, agency: env.OIDC_AGENCY_CLAIM, roles: env.OIDC_ROLES_CLAIM },
  };
};
