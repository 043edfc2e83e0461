import { resolve } from 'node:path';
import { makeValidator, str } from 'envalid';
import ms, { type StringValue } from 'ms';
import { Caches, DAY, type Duration, HOUR, MINUTE, SECOND } from '#kernel';
import { claimName, dashboardOf, dashboardProblems, issuerUrl, scopes } from './dashboard.js';
import { isPlaintextHttp, isPlaintextStore, NOT_ENCRYPTED } from './plaintext.js';
import { withSecretFiles } from './secret-files.js';
import { TrustedProxies } from './trusted-proxies.js';
import {
  filled,
  folder,
  formatProblems,
  matching,
  parsedBy,
  parseMasterKey,
  port,
  readVariables,
  requireClean,
} from './variables.js';

export class InvalidConfiguration extends Error {
  constructor(readonly problems: readonly string[]) {
    super(formatProblems(problems));
    this.name = 'InvalidConfiguration';
  }
}

/** `5s`, `24h` in milliseconds; NaN for any other text. */
const durationOf = (text: string): Duration =>
  /^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/.test(text) ? ms(text as StringValue) : Number.NaN;

/** A duration such as `5s` or `24h`, in whole milliseconds within limits. */
const durationWithin = (least: Duration, most: Duration, bounds: string) =>
  makeValidator((text) => {
    const value = durationOf(text);
    if (!Number.isSafeInteger(value)) throw new TypeError('must be a duration such as 5s or 24h');
    if (value < least || value > most) throw new TypeError(`must be ${bounds}`);
    return value;
  });

/** D20: at most five seconds; 0 turns the cache off. */
const cacheTime = durationWithin(0, 5 * SECOND, 'at most 5s');
/** A creator's lease has to outlast the few calls that are made while it is held. */
const timeout = durationWithin(1, 15 * SECOND, 'more than 0 and at most 15s');
const interval = durationWithin(1, 3_650 * DAY, 'more than 0 and at most 3650d');

const count = parsedBy((text) => (/^\d{1,12}$/.test(text) ? Number(text) : undefined), 'must be a whole number');

const baseUrl = makeValidator((text) => {
  requireClean(text);
  if (!/^https?:\/\//.test(text) || /\s/.test(text) || !URL.canParse(text)) {
    throw new TypeError('must be an http or https URL');
  }
  return text.replace(/\/+$/, '');
});

/** D60: the waits between the five attempts. With fewer than four values, the last one repeats. */
const waits = makeValidator((text) => {
  const durations = text.split(',').map((wait) => durationOf(wait.trim()));
  if (durations.length > 4 || !durations.every((wait) => wait > 0 && wait <= 30 * DAY)) {
    throw new TypeError('must be one to four durations such as 1m,10m,1h,6h, each at most 30d');
  }
  return durations;
});

/** For URLs that may contain a password: the problem never shows the value. */
const storeUrl = (pattern: RegExp, problem: string) =>
  makeValidator((text) => {
    requireClean(text);
    if (!pattern.test(text)) throw new TypeError(problem);
    return text;
  });

const eventStoreDbUrl = storeUrl(/^esdb(\+discover)?:\/\/\S+$/, 'must be an esdb:// or esdb+discover:// URL');
const mongoDbUrl = storeUrl(/^mongodb(\+srv)?:\/\/\S+$/, 'must be a mongodb:// or mongodb+srv:// URL');

const bearerToken = matching(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

const favicon = makeValidator((text) => {
  requireClean(text);
  const example = text.replace('{domain}', 'example.org');
  if (example === text) throw new TypeError('must hold {domain}');
  if (!/^https?:\/\/\S+$/.test(example) || !URL.canParse(example)) throw new TypeError('must be an http or https URL');
  return text;
});

const logOrigin = matching(
  /^[\x21-\x2a\x2c-\x7e]{1,200}$/,
  'must be at most 200 printable ASCII characters without spaces and +',
);

const one = matching(/^1$/, 'must be 1, or unset');
const masterKey = parsedBy(parseMasterKey, 'must be 32 bytes in base64');
const proxies = parsedBy(TrustedProxies.parse, 'must be addresses or networks such as 10.0.0.0/8,::1');

const SPECS = {
  HOST: filled({ default: '127.0.0.1' }),
  PORT: port({ default: 3000 }),
  DATA_DIR: folder({ default: resolve('data') }),
  EVENTSTOREDB_URL: eventStoreDbUrl({ default: undefined }),
  MONGODB_URL: mongoDbUrl({ default: undefined }),
  MASTER_KEY: masterKey({ default: undefined }),
  MASTER_KEY_PREVIOUS: masterKey({ default: undefined }),
  LOG_ORIGIN: logOrigin({ default: undefined }),
  NATIVE_PLATFORM_URL: baseUrl({ default: undefined }),
  NATIVE_PLATFORM_TOKEN: bearerToken({ default: undefined }),
  SCAN_ENGINE_URL: baseUrl({ default: undefined }),
  SCAN_ENGINE_TOKEN: bearerToken({ default: undefined }),
  DEINDEX_PROVIDER_URL: baseUrl({ default: undefined }),
  DEINDEX_PROVIDER_TOKEN: bearerToken({ default: undefined }),
  PROVIDER_TIMEOUT: timeout({ default: 5_000 }),
  VERIFICATION_CACHE: cacheTime({ default: 5_000 }),
  RATE_LIMIT_PER_MINUTE: count({ default: 120 }),
  SCAN_SCHEDULE_EVERY: interval({ default: 86_400_000 }),
  SCAN_POLL_EVERY: interval({ default: 5_000 }),
  CREATOR_SYNC_EVERY: interval({ default: 300_000 }),
  CASE_SYNC_EVERY: interval({ default: 900_000 }),
  PRICE_PER_CREATOR_MONTH_CENTS: count({ default: undefined }),
  MINIMUM_MONTHLY_CENTS: count({ default: undefined }),
  CURRENCY: str({ default: 'EUR', choices: ['EUR', 'USD'] }),
  WEBHOOK_TARGETS: str({ default: 'public', choices: ['public', 'any'] }),
  WEBHOOK_BACKOFF: waits({ default: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] }),
  FAVICON_URL: favicon({ default: undefined }),
  OPS_HOST: filled({ default: '127.0.0.1' }),
  OPS_PORT: port({ default: undefined }),
  API_URL: baseUrl({ default: undefined }),
  DASHBOARD_URL: baseUrl({ default: undefined }),
  OIDC_ISSUER_URL: issuerUrl({ default: undefined }),
  OIDC_CLIENT_ID: filled({ default: undefined }),
  OIDC_CLIENT_SECRET: filled({ default: undefined }),
  OIDC_SCOPE: scopes({ default: 'openid profile email' }),
  OIDC_SUBJECT_CLAIM: claimName({ default: 'sub' }),
  OIDC_AGENCY_CLAIM: claimName({ default: 'agency_id' }),
  OIDC_ROLES_CLAIM: claimName({ default: 'roles' }),
  ALLOW_PLAINTEXT: one({ default: undefined }),
  TRUST_PROXY: proxies({ default: TrustedProxies.NONE }),
  CACHES: str({ default: 'on', choices: ['on', 'off'] }),
  LOG_LEVEL: str({ default: 'info', choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] }),
};

export const VARIABLES: readonly string[] = Object.keys(SPECS);

/** Reads and validates the environment, and reports all errors together. */
export const readConfig = (variables: NodeJS.ProcessEnv) => {
  const { environment, problems: wrongFiles } = withSecretFiles(variables);
  const { env, problems } = readVariables(environment, SPECS);
  problems.unshift(...wrongFiles);
  for (const name of ['NATIVE_PLATFORM', 'SCAN_ENGINE', 'DEINDEX_PROVIDER']) {
    const [url, token] = [environment[`${name}_URL`], environment[`${name}_TOKEN`]];
    if (url !== undefined && token === undefined) problems.push(`${name}_TOKEN: is required with ${name}_URL`);
    if (url === undefined && token !== undefined) problems.push(`${name}_URL: is required with ${name}_TOKEN`);
  }
  if (env.ALLOW_PLAINTEXT === undefined) problems.push(...plaintextProblems(env));
  problems.push(...dashboardProblems(env, environment));
  if (env.WEBHOOK_TARGETS === 'any' && environment.NODE_ENV === 'production') {
    problems.push('WEBHOOK_TARGETS: must be public in production');
  }
  // The generated key is in the data directory of one machine, so processes on other machines do not have it.
  for (const name of ['EVENTSTOREDB_URL', 'MONGODB_URL']) {
    if (environment[name] !== undefined && environment.MASTER_KEY === undefined) {
      problems.push(`MASTER_KEY: is required with ${name}`);
    }
  }
  if (environment.MASTER_KEY_PREVIOUS !== undefined && environment.MASTER_KEY === undefined) {
    problems.push('MASTER_KEY: is required with MASTER_KEY_PREVIOUS');
  }
  if (problems.length > 0) throw new InvalidConfiguration(problems);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: env.DATA_DIR,
    eventStoreDbUrl: env.EVENTSTOREDB_URL,
    mongoDbUrl: env.MONGODB_URL,
    masterKey: env.MASTER_KEY,
    previousMasterKey: env.MASTER_KEY_PREVIOUS,
    logOrigin: env.LOG_ORIGIN,
    platform: service(env.NATIVE_PLATFORM_URL, env.NATIVE_PLATFORM_TOKEN),
    engine: service(env.SCAN_ENGINE_URL, env.SCAN_ENGINE_TOKEN),
    search: service(env.DEINDEX_PROVIDER_URL, env.DEINDEX_PROVIDER_TOKEN),
    providerTimeout: env.PROVIDER_TIMEOUT,
    verificationCache: env.VERIFICATION_CACHE,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    scanScheduleEvery: env.SCAN_SCHEDULE_EVERY,
    scanPollEvery: env.SCAN_POLL_EVERY,
    creatorSyncEvery: env.CREATOR_SYNC_EVERY,
    caseSyncEvery: env.CASE_SYNC_EVERY,
    pricing: {
      perCreatorMonth: env.PRICE_PER_CREATOR_MONTH_CENTS,
      minimumMonthly: env.MINIMUM_MONTHLY_CENTS ?? 0,
      currency: env.CURRENCY,
    },
    webhookTargets: env.WEBHOOK_TARGETS,
    webhookBackoff: env.WEBHOOK_BACKOFF,
    faviconTemplate: env.FAVICON_URL,
    ops: env.OPS_PORT === undefined ? undefined : { host: env.OPS_HOST, port: env.OPS_PORT },
    apiUrl: env.API_URL,
    dashboardUrl: env.DASHBOARD_URL,
    dashboard: dashboardOf(env),
    allowPlaintext: env.ALLOW_PLAINTEXT !== undefined,
    trustedProxies: env.TRUST_PROXY,
    caches: env.CACHES === 'off' ? Caches.OFF : Caches.ON,
    logLevel: env.LOG_LEVEL,
  };
};

export interface Config extends ReturnType<typeof readConfig> {
  /** Limits the rate of the platform's large answers to one agency. No variable sets it, only tests with many. */
  readonly largeBytesPerSecond?: number;
}

const service = (url: string | undefined, token: string | undefined) =>
  url === undefined || token === undefined ? undefined : { url, token };

type Urls = { readonly [name in (typeof PROVIDER_URLS)[number] | (typeof STORE_URLS)[number]]?: string | undefined };

const PROVIDER_URLS = ['NATIVE_PLATFORM_URL', 'SCAN_ENGINE_URL', 'DEINDEX_PROVIDER_URL'] as const;
const STORE_URLS = ['EVENTSTOREDB_URL', 'MONGODB_URL'] as const;

const plaintextProblems = (urls: Urls): string[] =>
  [
    ...PROVIDER_URLS.filter((name) => isPlaintextHttp(urls[name])),
    ...STORE_URLS.filter((name) => isPlaintextStore(urls[name])),
  ].map((name) => `${name}: ${NOT_ENCRYPTED}`);
