import { randomUUID } from 'node:crypto';
import type { Command } from '@nestjs/cqrs';
import { apiKeyDecider, GetBinding, hashSecret, type KeyRequest, keyIdOf, newKeySecret, type Scope } from '#agencies';
import type { Creator, Scan } from '#client';
import {
  type AgencyId,
  agencyId,
  type Duration,
  type KeyId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import {
  type DeliveryDocument,
  type DeliveryStatus,
  DisableEndpoint,
  EnableEndpoint,
  RegisterEndpoint,
  ReplayDelivery,
  RotateSecret,
  SearchDeliveries,
  TestEndpoint,
} from '#webhooks';
import * as commands from '../../support/agency-commands.js';
import { ApiClient, bodyOf } from './api-client.js';
import { operator } from './operator.js';
import type { Event } from './resources.js';
import type { Service } from './service.js';

export interface AgencyOptions {
  readonly id?: AgencyId;
  readonly slots?: number;
  readonly preset?: KeyRequest['preset'];
}

export interface KnownAgency {
  readonly id: AgencyId;
  readonly workspaceId: string;
  readonly keyId: KeyId;
  readonly secret: string;
}

export interface IssuedSecret {
  readonly keyId: KeyId;
  readonly api: ApiClient;
}

/** An agency at the platform, what its operators do here, and its backend. */
export class Agency {
  private constructor(
    private readonly service: Service,
    readonly id: AgencyId,
    readonly workspaceId: string,
    readonly api: ApiClient,
    readonly keyId: KeyId,
  ) {}

  /** Bound, with a key, and quiet: its roster has been read once and is empty. */
  static async open(service: Service, options: AgencyOptions): Promise<Agency> {
    const { id = agencyId(`agency_${randomUUID().slice(0, 8)}`), slots = 10, preset = 'read_write' } = options;
    await service.platform.control('PATCH', pathOf(id), { name: `Agency ${id}`, total_slots: slots });
    const { workspaceId } = await bind(service, id);
    const { api, keyId } = await issueKey(service, id, { preset, lifetime: 'none' });
    await service.quiet();
    return new Agency(service, id, workspaceId, api, keyId);
  }

  /** One that is bound and has a key. */
  static known(service: Service, { id, workspaceId, keyId, secret }: KnownAgency): Agency {
    return new Agency(service, id, workspaceId, new ApiClient(() => service.url, secret), keyId);
  }

  /** Binds it to its present owner. */
  bind() {
    return bind(this.service, this.id);
  }

  /** As its next owner has it: bound again, with a key of that binding. */
  async transferOwnership(): Promise<Agency> {
    await this.change({ owner_user_id: randomUUID() });
    await this.bind();
    const { api, keyId } = await this.issueKey();
    return new Agency(this.service, this.id, this.workspaceId, api, keyId);
  }

  issueKey(request: Partial<KeyRequest> = {}): Promise<IssuedSecret> {
    return issueKey(this.service, this.id, { preset: 'read_write', lifetime: 'none', ...request });
  }

  /** A key of these very scopes, which no preset has. */
  async keyWith(scopes: readonly Scope[]): Promise<ApiClient> {
    const { runner, queries } = this.service.services;
    const { epoch, workspaceId } = await queries.execute(new GetBinding(this.id));
    const secret = newKeySecret();
    const secretHash = hashSecret(secret);
    const keyId = keyIdOf(secretHash);
    const data = { keyId, agencyId: this.id, workspaceId, epoch, name: null, scopes, expiresAt: null, secretHash };
    await runner.run(apiKeyDecider, keyId, operator(), () => [{ type: 'apiKey.issued.v1' as const, data }]);
    return new ApiClient(() => this.service.url, secret);
  }

  async revokeKey(keyId: KeyId): Promise<void> {
    await commands.revokeKey(this.service.services, keyId, operator());
  }

  /** An endpoint that gets the events from now on, and its secret. */
  async endpoint(url: string): Promise<{ readonly id: WebhookEndpointId; readonly secret: string }> {
    const { endpoint, secret } = await this.execute(new RegisterEndpoint(this.id, url, operator()));
    return { id: endpoint.endpointId, secret };
  }

  rotate(endpointId: WebhookEndpointId, overlap: Duration = 0) {
    return this.execute(new RotateSecret(endpointId, overlap, operator()));
  }

  disable(endpointId: WebhookEndpointId) {
    return this.execute(new DisableEndpoint(endpointId, operator()));
  }

  enable(endpointId: WebhookEndpointId) {
    return this.execute(new EnableEndpoint(endpointId, operator()));
  }

  ping(endpointId: WebhookEndpointId) {
    return this.execute(new TestEndpoint(endpointId, operator()));
  }

  replay(deliveryId: string) {
    return this.execute(new ReplayDelivery(deliveryId as WebhookDeliveryId, operator()));
  }

  private execute<Result>(command: Command<Result>): Promise<Result> {
    return this.service.services.commands.execute(command);
  }

  /** Its deliveries, the newest first, once all that is due has been tried. */
  async deliveries(status?: DeliveryStatus): Promise<readonly DeliveryDocument[]> {
    await this.service.quiet();
    const search = new SearchDeliveries(this.id, { status }, 1_000, undefined);
    return (await this.service.services.queries.execute(search)).deliveries;
  }

  /** Its events, after everything is published: what a read observes is published a moment later. */
  async publishedEvents(): Promise<Event[]> {
    await this.service.quiet();
    return this.api.events();
  }

  /** Changes the agency at the platform. */
  change(change: object): Promise<{ owner_user_id: string; occupied_slots: number; reserved_slots: number }> {
    return this.service.platform.control('PATCH', pathOf(this.id), change);
  }

  /** Users of the platform's roster, eligible unless said otherwise, in the order of their ids. */
  async users(count: number, change: object = {}): Promise<string[]> {
    const path = `${pathOf(this.id)}/creators`;
    const made = await this.service.platform.control<{ user_ids: string[] }>('POST', path, { count, ...change });
    return made.user_ids.toSorted();
  }

  async user(change: object = {}): Promise<string> {
    const [user] = await this.users(1, change);
    if (user === undefined) throw new Error('the sandbox made no user');
    return user;
  }

  changeUser(userId: string, change: object): Promise<unknown> {
    return this.service.platform.control('PATCH', `/creators/${userId}`, change);
  }

  linkBody(userId: string, change: object = {}): object {
    const workspace_id = this.workspaceId;
    return { workspace_id, external_id: `ext-${userId}`, display_name: 'Ivy Vale', svc_user_id: userId, ...change };
  }

  inviteBody(change: object = {}): object {
    const external_id = `ext-${randomUUID()}`;
    const person = { email: `${external_id}@example.com`, first_name: 'Ivy', last_name: 'Vale' };
    return { workspace_id: this.workspaceId, external_id, display_name: 'Ivy Vale', ...person, ...change };
  }

  /** A user of the platform that is linked and left as it is. */
  async linked(change: object = {}): Promise<LinkedCreator> {
    const userId = await this.user(change);
    const creator = bodyOf<Creator>(await this.api.enroll(this.linkBody(userId)));
    return { ...creator, userId };
  }

  async invited(change: object = {}): Promise<Creator> {
    return bodyOf<Creator>(await this.api.enroll(this.inviteBody(change)));
  }

  /** A linked creator whose protection is active. */
  async active(change: object = {}): Promise<LinkedCreator> {
    const creator = await this.linked(change);
    bodyOf(await this.api.protect(creator.id, 'active'));
    return creator;
  }

  /** A scan of the creator that was accepted just now. */
  async scan(creatorId: string, idempotencyKey: string = randomUUID()): Promise<Scan> {
    return bodyOf<Scan>(await this.api.queueScan(creatorId, idempotencyKey));
  }

  /** The scan once it has the status, letting time pass until then. */
  async scanThatIs(status: string, scanId: string): Promise<Scan> {
    return this.service.passUntil(async () => {
      const scan = await this.api.scan(scanId);
      if (scan.status !== status) throw new Error(`${scan.status} is not ${status}`);
      return scan;
    });
  }

  async impersonations(userId: string, count: number, change: object = {}): Promise<string[]> {
    const path = `/creators/${userId}/impersonations`;
    const made = { count, ...change };
    return (await this.service.platform.control<{ impersonation_ids: string[] }>('POST', path, made)).impersonation_ids;
  }

  /** A scan whose job the engine has and leaves queued, until a control moves it. */
  async acceptedScan(creatorId: string): Promise<Scan> {
    await this.service.platform.settings({ scan_auto: false });
    const { id } = await this.scan(creatorId);
    const accepted = await this.scanThatIs('dispatching', id);
    await this.service.quiet();
    await this.service.platform.settings({ scan_auto: true });
    return accepted;
  }

  async leaks(userId: string, count: number, change: object = {}): Promise<string[]> {
    const path = `/creators/${userId}/leaks`;
    return (await this.service.platform.control<{ leak_ids: string[] }>('POST', path, { count, ...change })).leak_ids;
  }
}

export interface LinkedCreator extends Creator {
  readonly userId: string;
}

/** At the sandbox. */
const pathOf = (id: AgencyId): string => `/agencies/${encodeURIComponent(id)}`;

const bind = (service: Service, id: AgencyId) => commands.bindAgency(service.services, id, operator());

const issueKey = async (service: Service, id: AgencyId, request: KeyRequest): Promise<IssuedSecret> => {
  const { key, secret } = await commands.issueKey(service.services, id, request, operator());
  return { keyId: key.keyId, api: new ApiClient(() => service.url, secret) };
};
