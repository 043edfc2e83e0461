import { createHash } from 'node:crypto';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetEvent } from '#event-feed';
import {
  type AgencyId,
  Clock,
  DomainError,
  type Instant,
  invalidRequest,
  type PublicEventId,
  parseId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import {
  type CheckResult,
  checkSignature,
  ownSignature,
  type ReceivedSignature,
  type SigningKey,
  standardSignature,
} from '../domain/signatures.js';
import { encryptedSecretsAt, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { GetEndpoint } from './endpoint-commands.js';
import { ping } from './endpoint-test.js';
import { SecretCipher } from './secret-cipher.js';

/** Compares a request that a receiver got with what this service has sent to that endpoint (D61, D109). */
export class CheckSignature extends Query<CheckResult> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    /** By their names in lower case. */
    readonly headers: ReadonlyMap<string, string>,
    /** SHA-256 of the body that was received, hexadecimal: the body itself is not needed. */
    readonly sha256: string,
    /** Another agency's endpoint is not found. */
    readonly agencyId?: AgencyId,
  ) {
    super();
  }
}

@QueryHandler(CheckSignature)
export class CheckSignatureHandler implements IQueryHandler<CheckSignature> {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ endpointId, headers, sha256, agencyId }: CheckSignature): Promise<CheckResult> {
    const endpoint = await this.queries.execute(new GetEndpoint(endpointId, agencyId));
    const signatures = signaturesOf(headers);
    const eventId = parseId('event', headers.get('x-svc-event-id') ?? headers.get('webhook-id') ?? '');
    if (eventId === undefined) throw problem('must have X-SVC-Event-ID or webhook-id with the id of an event');
    const body = (await this.bytesOf(endpoint.workspaceId, eventId)) ?? pingOf(endpoint, eventId);
    if (body === undefined) throw problem(`name ${eventId}, which was not sent, or may not be shown any more`);
    const hasSameBytes = createHash('sha256').update(body).digest('hex') === sha256.toLowerCase();
    const now = this.clock.now();
    const keys = this.keysOf(endpoint, now);
    const results = signatures.map((signature) => checkSignature({ signature, hasSameBytes }, body, keys, now));
    const result = results.find(({ verdict }) => verdict !== 'valid') ?? results[0];
    if (result === undefined)
      throw problem('must have X-SVC-Signature, or webhook-id, webhook-timestamp and webhook-signature');
    return result;
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

  private keysOf(endpoint: RegisteredEndpoint, now: Instant) {
    const signing = encryptedSecretsAt(endpoint, now);
    const ended = endpoint.secrets.map(({ encrypted }) => encrypted).filter((one) => !signing.includes(one));
    return {
      inForce: signing.map((secret) => this.cipher.signingKey(endpoint, secret)),
      replaced: [...ended, ...endpoint.replaced].flatMap((secret) => this.readable(endpoint, secret)),
    };
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

/** The ping of the endpoint's latest test, if it has that id. */
const pingOf = ({ test, workspaceId }: RegisteredEndpoint, eventId: PublicEventId): Buffer | undefined => {
  const sent = test === null ? undefined : ping(test.testId, workspaceId, test.requestedAt);
  return sent?.id === eventId ? sent.body : undefined;
};

const problem = (message: string) => invalidRequest({ field: 'headers', message });
