import { type LoggedCall, SandboxClient } from '../../apps/platform-sandbox/src/index.js';
import { Listener } from './listener.js';

export { CANARY } from './protocol-variants.js';

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** Refused by the sandbox because of the request's form. */
const FORM_ERRORS: readonly LoggedCall['status'][] = [400, 401, 415];

/**
 * The sandbox as another platform could look: at three addresses with a token each, with ids and cursors of other
 * characters, short pages, and each answer in one of the forms that HTTP, JSON and the contract allow.
 */
export class SecondPlatform {
  private constructor(
    readonly platform: Listener,
    readonly engine: Listener,
    readonly search: Listener,
    private readonly sandbox: SandboxClient,
    private readonly breaches: readonly string[],
  ) {}

  static async start(sandbox: Address): Promise<SecondPlatform> {
    const breaches: string[] = [];
    const around = { sandbox, breaches };
    const platform = new Listener('platform', 'p-token/+=.~', '/native/v2', around);
    const engine = new Listener('engine', 'e-token', '', around);
    const search = new Listener('search', 's-token', '/se%20arch', around);
    await Promise.all([platform, engine, search].map((listener) => listener.listen()));
    return new SecondPlatform(platform, engine, search, new SandboxClient(sandbox), breaches);
  }

  /** The variables of a service that uses it. */
  get environment(): Readonly<Record<string, string>> {
    return {
      NATIVE_PLATFORM_URL: this.platform.url,
      NATIVE_PLATFORM_TOKEN: this.platform.token,
      SCAN_ENGINE_URL: this.engine.url,
      SCAN_ENGINE_TOKEN: this.engine.token,
      DEINDEX_PROVIDER_URL: this.search.url,
      DEINDEX_PROVIDER_TOKEN: this.search.token,
    };
  }

  async calls(operation?: string): Promise<LoggedCall[]> {
    const query = operation === undefined ? '' : `?operation=${operation}`;
    return (await this.sandbox.control<{ data: LoggedCall[] }>('GET', `/calls${query}`)).data;
  }

  /** The requests so far that the contract does not allow, and the keys that were sent again after a 2xx. */
  async complaints(): Promise<string[]> {
    const calls = await this.calls();
    const refused = calls.filter(
      ({ status, refusal }) => FORM_ERRORS.includes(status) || refusal === 'idempotency_conflict',
    );
    const done = calls.filter(({ status }) => typeof status === 'number' && status < 300);
    const keys = done.flatMap(({ operation, idempotency_key: key }) => (key === null ? [] : [`${operation} ${key}`]));
    return [
      ...this.breaches,
      ...refused.map(({ method, path, status }) => `${method} ${path}: ${status}`),
      ...keys.filter((key, at) => keys.indexOf(key) !== at),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all([this.platform, this.engine, this.search].map((listener) => listener.close()));
  }
}
