import { Sessions } from '#dashboard';
import { agencyId, type UserId } from '#kernel';
import type { Service } from '../../support/service.js';

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

interface Claims {
  readonly userId: string;
  readonly agencies?: readonly string[];
  readonly roles?: readonly 'operator'[];
}

/** What a visitor needs of a service. */
type Visited = Pick<Service, 'url' | 'services'>;

/** A person with a session, as the page of the dashboard calls the server. The login has its own specs. */
export class Visitor {
  private constructor(
    private readonly service: Visited,
    private readonly cookie: string,
    private readonly csrfToken: string,
  ) {}

  static async of(service: Visited, { userId, agencies = [], roles = [] }: Claims): Promise<Visitor> {
    const sessions = service.services.app.get(Sessions, { strict: false });
    const person = {
      issuer: 'https://provider.example',
      subject: userId,
      userId: userId as UserId,
      name: 'Ana',
      agencies: agencies.map(agencyId),
      roles,
    };
    const { secret } = await sessions.start(person, { access: 'access', refresh: null, sources: [] });
    return new Visitor(service, `session-${new URL(service.url).port}=${secret.text}`, secret.csrfToken);
  }

  async call<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    const { url } = this.service;
    const isChange = method !== 'GET';
    const answer = await fetch(`${url}/dashboard/api${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        ...(isChange && { origin: url, 'x-csrf-token': this.csrfToken }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.call('GET', path);
  }

  /** The answer's body; throws unless it succeeded. */
  async got<Body>(path: string): Promise<Body> {
    const { status, body } = await this.get<Body>(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

/** A provider that nobody needs while sessions are fresh. */
export const PROVIDER = { issuer: 'http://127.0.0.1:9', clientId: 'dashboard', clientSecret: 'secret' };
