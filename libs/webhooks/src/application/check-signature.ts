import { createHash } from 'node:crypto';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { GetEvent } from '#event-feed';
import {
  type AgencyId,
  Clock,
  DomainError,
  invalidRequest,
  type PublicEventId,
  parseId,
  type WorkspaceId,
} from '#kernel';
import { ping } from '../domain/ping.js';
import {
  type CheckResult,
  checkSignature,
  ownSignature,
  type ReceivedSignature,
  standardSignature,
} from '../domain/signature-check.js';
import type { SigningKey } from '../domain/signing-key.js';
import { encryptedSecretsAt, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { SecretCipher } from './secret-cipher.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** Compares a request that a receiver got with what this service has sent (D61). */
export class CheckSignature extends Query<CheckResult> {
  constructor(
    readonly agencyId: AgencyId,
    /** By their names in lower case. */
    readonly headers: ReadonlyMap<string, string>,
    /** SHA-256 of the body that was received, hexadecimal: the body itself is not needed. */
    readonly sha256: string,
  ) {
    super();
  }
}

@QueryHandler(CheckSignature)
export class CheckSignatureHandler implements IQueryHandler<CheckSignature> {
  constructor(
    private readonly list: EndpointList,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly cipher: SecretCipher,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId, headers, sha256 }: CheckSignature): Promise<CheckResult> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const signatures = signaturesOf(headers);
    const eventId = parseId('event', headers.get('x-svc-event-id') ?? headers.get('webhook-id') ?? '');
    if (eventId === undefined) throw problem('must have X-SVC-Event-ID or webhook-id with the id of an event');
    const endpoints = await this.endpointsOf(agencyId);
    const body = (await this.bytesOf(workspaceId, eventId)) ?? pingOf(endpoints, eventId);
    if (body === undefined) throw problem(`name ${eventId}, which was not sent, or may not be shown any more`);
    const hasSameBytes = createHash('sha256').update(body).digest('hex') === sha256.toLowerCase();
    const [keys, now] = [this.keysOf(endpoints), this.clock.now()];
    const results = signatures.map((signature) => checkSignature({ signature, hasSameBytes }, body, keys, now));
    const result = results.find(({ verdict }) => verdict !== 'valid') ?? results[0];
    if (result === undefined)
      throw problem('must have X-SVC-Signature, or webhook-id, webhook-timestamp and webhook-signature');
    return result;
  }

  private async endpointsOf(agencyId: AgencyId): Promise<RegisteredEndpoint[]> {
    const listed = await this.list.ofAgency(agencyId);
    const loaded = await this.endpoints.loadAll(listed.map(({ id }) => id));
    return loaded.flatMap(({ state }) => (state.status === 'unknown' ? [] : [state]));
  }

  private async bytesOf(workspaceId: WorkspaceId, eventId: PublicEventId): Promise<Buffer | undefined> {
    try {
      const { visibility } = await this.queries.execute(new GetEvent(workspaceId, eventId));
      return visibility.kind === 'visible' ? Buffer.from(visibility.bytes) : undefined;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  private keysOf(endpoints: readonly RegisteredEndpoint[]) {
    const now = this.clock.now();
    const inForce: SigningKey[] = [];
    const replaced: SigningKey[] = [];
    for (const endpoint of endpoints) {
      const signing = encryptedSecretsAt(endpoint, now);
      const ended = endpoint.secrets.map(({ encrypted }) => encrypted).filter((one) => !signing.includes(one));
      inForce.push(...signing.map((secret) => this.cipher.signingKey(endpoint, secret)));
      replaced.push(...[...ended, ...endpoint.replaced].flatMap((secret) => this.readable(endpoint, secret)));
    }
    return { inForce, replaced };
  }

  /** D85: a secret that no longer signs is not encrypted again with a new master key. */
  private readable(endpoint: RegisteredEndpoint, secret: string): SigningKey[] {
    try {
      return [this.cipher.signingKey(endpoint, secret)];
    } catch {
      return [];
    }
  }
}

/** In both forms, where the request has both: a receiver checks one of them, and each must be right. */
const signaturesOf = (headers: CheckSignature['headers']): readonly ReceivedSignature[] => {
  const own = headers.get('x-svc-signature');
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`webhook-${name}`));
  const found: ReceivedSignature[] = [];
  if (own !== undefined) {
    const received = ownSignature(own);
    if (received === undefined) throw problem('have an X-SVC-Signature that is not of the form t=…,v1=…');
    found.push(received);
  }
  if (id !== undefined && timestamp !== undefined && signature !== undefined) {
    const received = standardSignature({ id, timestamp, signature });
    if (received === undefined) throw problem('have a webhook-signature that is not of the form v1,…');
    found.push(received);
  }
  return found;
};

/** The ping of the latest test of one of the endpoints, if it has that id. */
const pingOf = (endpoints: readonly RegisteredEndpoint[], eventId: PublicEventId): Buffer | undefined => {
  const pings = endpoints.flatMap(({ test, workspaceId }) =>
    test === null ? [] : [ping(test.testId, workspaceId, test.requestedAt)],
  );
  return pings.find(({ id }) => id === eventId)?.body;
};

const problem = (message: string) => invalidRequest({ field: 'headers', message });
