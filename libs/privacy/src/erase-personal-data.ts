import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ALL_PROJECTIONS } from '#contexts';
import { CreatorErasure, LeftOutRecords } from '#creators';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DocumentStore,
  type Duration,
  EventLog,
  type Instant,
} from '#kernel';
import { KEY_CACHE_TTL, KeyRing } from '#personal-data';
import { Rebuild } from '#projections';
import { personalKeyStatus, readableEvents } from './preview-erasure.js';

@Injectable()
export class PrivacyOptions {
  /** How long a process may still decrypt with a key that another process has destroyed. */
  readonly keysForgottenAfter: Duration = KEY_CACHE_TTL;
}

export interface ErasedPersonalData {
  readonly erasedAt: Instant;
  readonly becameUnreadable: Readonly<Record<string, number>>;
}

/** Makes all personal data of a creator unreadable. If interrupted, the same command finishes the work. */
export class ErasePersonalData extends Command<ErasedPersonalData> {
  constructor(
    readonly creatorId: CreatorId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ErasePersonalData)
export class ErasePersonalDataHandler implements ICommandHandler<ErasePersonalData> {
  constructor(
    private readonly creators: CreatorErasure,
    private readonly leftOut: LeftOutRecords,
    private readonly log: EventLog,
    private readonly keys: KeyRing,
    private readonly rebuild: Rebuild,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly options: PrivacyOptions,
  ) {}

  async execute({ creatorId, context: given }: ErasePersonalData): Promise<ErasedPersonalData> {
    const creator = await this.creators.load(creatorId);
    const context = { ...given, workspaceId: creator.state.workspaceId };
    const becameUnreadable = await readableEvents(this.log, creatorId);
    const isKeyDestroyed = (await personalKeyStatus(this.keys, creatorId)) === 'destroyed';
    const erasedAt = isKeyDestroyed
      ? await this.creators.recordWithoutKey(creator, context)
      : await this.creators.record(creator, context);
    await this.keys.destroy(creatorId, this.clock.now());
    await this.creators.recordKeyDestroyed(creatorId, context);
    // Until then another process may write what it can still decrypt to a read model.
    await delay(this.options.keysForgottenAfter);
    await this.leftOut.forgetCreator(creator.state);
    await this.removeFromReadModels();
    return { erasedAt, becameUnreadable };
  }

  /** A rebuild drops every collection that is not live, and no freed page of the store keeps a text. */
  private async removeFromReadModels(): Promise<void> {
    await this.rebuild.run(ALL_PROJECTIONS);
    await this.documents.purge();
  }
}
