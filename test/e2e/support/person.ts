import { type OpenSession, Sessions } from '#dashboard';
import { parseUserId } from '#kernel';
import type { Agency } from './agency.js';
import type { Service } from './service.js';

type Person = Parameters<Sessions['start']>[0];

/** The provider of a service whose people are signed in without it: nothing asks it. */
export const NO_PROVIDER = { issuer: 'http://127.0.0.1:9', clientId: 'dashboard', clientSecret: 'secret' };

/** Somebody who is signed in to the dashboard, with a session that the login would have started. */
export class SignedInPerson {
  private constructor(
    private readonly service: Service,
    private readonly opened: OpenSession,
  ) {}

  static async signIn(service: Service, person: Partial<Person>): Promise<SignedInPerson> {
    const nobody = { issuer: 'https://idp.example', subject: 's', userId: null, name: null, agencies: [], roles: [] };
    const sessions = service.services.app.get(Sessions, { strict: false });
    return new SignedInPerson(
      service,
      await sessions.start({ ...nobody, ...person }, { access: 'a', refresh: null, sources: [] }),
    );
  }

  static async owner(service: Service, agency: Agency): Promise<SignedInPerson> {
    const { owner_user_id } = await agency.change({});
    const userId = parseUserId(owner_user_id) ?? null;
    return SignedInPerson.signIn(service, { userId, subject: owner_user_id, agencies: [agency.id] });
  }

  static member(service: Service, agency: Agency): Promise<SignedInPerson> {
    return SignedInPerson.signIn(service, { agencies: [agency.id] });
  }

  send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const { config } = this.service.services;
    const address = new URL(config.dashboard?.url ?? '');
    const { secret } = this.opened;
    return fetch(`${this.service.url}/dashboard/api${path}`, {
      method,
      headers: {
        cookie: `session-${address.port}=${secret.text}`,
        ...(method !== 'GET' && { origin: address.origin, 'x-csrf-token': secret.csrfToken }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  /** The body of an answer with status 200. */
  async got<Body>(path: string): Promise<Body> {
    const answer = await this.send('GET', path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  }
}
