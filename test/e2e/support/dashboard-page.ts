import { randomUUID } from 'node:crypto';
import { type OpenSession, Sessions } from '#dashboard';
import { agencyId, type UserId } from '#kernel';
import type { Agency } from './agency.js';
import type { Service } from './service.js';

interface Claims {
  readonly userId?: string;
  readonly agencies?: readonly string[];
  readonly roles?: readonly 'operator'[];
}

interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
}

/** The parts of a service that a page needs. */
type Served = Pick<Service, 'url' | 'services'>;

/** The provider of a service whose people are signed in without it: nothing asks it. */
export const NO_PROVIDER = { issuer: 'http://127.0.0.1:9', clientId: 'dashboard', clientSecret: 'secret' };

/** The dashboard's page, as somebody has it open, with a session that the login would have started. */
export class DashboardPage {
  private constructor(
    private readonly service: Served,
    private readonly session: OpenSession['secret'],
    /** As the event log names the person. */
    readonly actor: string,
  ) {}

  static async of(service: Served, claims: Claims): Promise<DashboardPage> {
    const { userId = randomUUID(), agencies = [], roles = [] } = claims;
    const known = { issuer: 'https://idp.example', subject: userId, userId: userId as UserId, name: 'Ana' };
    const person = { ...known, agencies: agencies.map(agencyId), roles };
    const sessions = service.services.app.get(Sessions, { strict: false });
    const { secret } = await sessions.start(person, { access: 'access', refresh: null, sources: [] });
    return new DashboardPage(service, secret, `user:${userId}`);
  }

  static async ofOwner(service: Served, agency: Agency): Promise<DashboardPage> {
    const { owner_user_id: userId } = await agency.change({});
    return DashboardPage.of(service, { userId, agencies: [agency.id] });
  }

  static ofMember(service: Served, { id }: Agency): Promise<DashboardPage> {
    return DashboardPage.of(service, { agencies: [id] });
  }

  /** The answer as it comes, such as a file or a stream. */
  fetch(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const { origin, port } = new URL(this.service.services.config.dashboard?.url ?? '');
    return fetch(`${this.service.url}/dashboard/api${path}`, {
      method,
      headers: {
        cookie: `session-${port}=${this.session.text}`,
        ...(method !== 'GET' && { origin, 'x-csrf-token': this.session.csrfToken }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async send<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answered<Body>> {
    const answer = await this.fetch(method, path, body);
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  get<Body = Record<string, unknown>>(path: string): Promise<Answered<Body>> {
    return this.send<Body>('GET', path);
  }

  post<Body = Record<string, unknown>>(path: string, body: object = {}): Promise<Answered<Body>> {
    return this.send<Body>('POST', path, body);
  }

  put<Body = Record<string, unknown>>(path: string, body: object): Promise<Answered<Body>> {
    return this.send<Body>('PUT', path, body);
  }

  /** The answer's body; throws unless it succeeded. */
  async got<Body>(path: string): Promise<Body> {
    const { status, body } = await this.get<Body>(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}
