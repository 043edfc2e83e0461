import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, type CommandContext, EventLog, eventsOf, invalidRequest, type RecordedEvent } from '#kernel';
import { KeyRing, Sentinel } from '#personal-data';
import { Sealing, type SealKey } from '#tamper-evidence';
import { SecretReencryption, type WebhookEndpointEvent } from '#webhooks';

export abstract class ReplaceableMasterKey {
  /** The key that a rotation replaces, or null where there is none. */
  abstract readonly previous: { readonly sealKey: SealKey } | null;
  /** 0: encrypts with `MASTER_KEY`; 1: with `MASTER_KEY_PREVIOUS`. */
  abstract encryptWith(index: number): void;
}

export interface MasterKeyRotation {
  readonly rewrapped: number;
  readonly reencrypted: number;
  /** Creators and webhook endpoints with a key or a secret that neither master key decrypts. */
  readonly unreadable: readonly string[];
}

/** D85: encrypts with `MASTER_KEY` what `MASTER_KEY_PREVIOUS` encrypts. If interrupted, the same command finishes it. */
export class RotateMasterKey extends Command<MasterKeyRotation> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(RotateMasterKey)
export class RotateMasterKeyHandler implements ICommandHandler<RotateMasterKey> {
  constructor(
    private readonly masterKey: ReplaceableMasterKey,
    private readonly sentinel: Sentinel,
    private readonly personalKeys: KeyRing,
    private readonly webhookSecrets: SecretReencryption,
    private readonly sealing: Sealing,
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: RotateMasterKey): Promise<MasterKeyRotation> {
    const { previous } = this.masterKey;
    if (previous === null) {
      throw invalidRequest({
        field: 'MASTER_KEY_PREVIOUS',
        message: 'must be set to the key that MASTER_KEY replaces',
      });
    }
    // First the sentinel, so that no process encrypts with the previous key from now on.
    await this.sentinel.begin();
    this.masterKey.encryptWith(0);
    const first = await this.reencryptAll(context);
    if (await this.isUnderWay()) await this.sealing.changeKey(previous.sealKey, this.clock.now());
    // A process may have made a key or a secret before it learned that the rotation has begun.
    const second = await this.reencryptAll(context);
    await this.sentinel.end();
    return {
      rewrapped: first.rewrapped + second.rewrapped,
      reencrypted: first.reencrypted + second.reencrypted,
      unreadable: [...new Set([...first.unreadable, ...second.unreadable])],
    };
  }

  private async reencryptAll(context: CommandContext): Promise<MasterKeyRotation> {
    const keys = await this.personalKeys.rewrapAll();
    const secrets = await this.reencryptSecrets(context);
    return { ...keys, ...secrets, unreadable: [...keys.unreadable, ...secrets.unreadable] };
  }

  /** Including disabled endpoints: they may be enabled again with the same secret. */
  private async reencryptSecrets(context: CommandContext): Promise<Omit<MasterKeyRotation, 'rewrapped'>> {
    let reencrypted = 0;
    const unreadable: string[] = [];
    for await (const { data } of eventsOf(this.log, { types: REGISTERED }) as AsyncIterable<
      RecordedEvent<Registered>
    >) {
      const outcome = await this.webhookSecrets.reencrypt(data.endpointId, context);
      reencrypted += outcome.reencrypted;
      if (outcome.unreadable > 0) unreadable.push(data.endpointId);
    }
    return { reencrypted, unreadable };
  }

  /** False if the rotation has ended before, and if the previous key was never in use. */
  private async isUnderWay(): Promise<boolean> {
    const sentinel = await this.sentinel.read();
    return typeof sentinel === 'object' && sentinel.replacing !== undefined;
  }
}

type Registered = Extract<WebhookEndpointEvent, { type: 'webhookEndpoint.registered.v2' }>;
const REGISTERED: ReadonlySet<string> = new Set<Registered['type']>(['webhookEndpoint.registered.v2']);
