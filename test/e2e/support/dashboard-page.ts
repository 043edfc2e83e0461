import { randomUUID } from 'node:crypto';
import type { AgencyId } from '#kernel';
import type { Agency } from './agency.js';
import type { Service } from './service.js';
import { Visitor } from './visitor.js';

interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
}

/** The dashboard's page, as somebody has it open. */
export class DashboardPage {
  private constructor(
    private readonly visitor: Visitor,
    /** As the event log names the person. */
    readonly actor: string,
  ) {}

  static async ofOwner(service: Service, agency: Agency): Promise<DashboardPage> {
    const { owner_user_id: id } = await agency.change({});
    return DashboardPage.of(service, id, agency.id);
  }

  static ofMember(service: Service, agencyId: AgencyId): Promise<DashboardPage> {
    return DashboardPage.of(service, randomUUID(), agencyId);
  }

  private static async of(service: Service, id: string, agency_id: AgencyId): Promise<DashboardPage> {
    return new DashboardPage(await Visitor.signedIn(service, { id, agency_id }), `user:${id}`);
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

  private async send<Body>(method: string, path: string, body?: object): Promise<Answered<Body>> {
    const answer = await this.visitor.send(method, path, body && { body });
    return { status: answer.status, body: answer.body as Body };
  }
}
