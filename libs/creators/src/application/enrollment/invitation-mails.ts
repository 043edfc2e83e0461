import { Injectable } from '@nestjs/common';
import {
  Clock,
  type CollectionDefinition,
  DAY,
  type Document,
  DocumentStore,
  type Instant,
  type WorkspaceId,
} from '#kernel';
import { type CountedMail, reserveMail } from '../../domain/enrollment/mail-allowance.js';
import { ErasureHashes } from '../../domain/membership/erasure.js';

/** Not a read model: the mails to each address, under a keyed hash. A loss allows the day's mails once more. */
export const INVITATION_MAILS: CollectionDefinition = {
  name: 'invitation_mails',
  indexes: [{ name: 'end', fields: ['expiresAt'] }],
};

/** Limits one write; the rest is removed a minute later. */
const SWEPT_TOGETHER = 1_000;

export interface AddressMails extends Document {
  readonly mails: readonly CountedMail[];
  /** The number of changes: of two concurrent changes, the second is repeated on the result of the first. */
  readonly revision: number;
  readonly expiresAt: Instant;
}

export interface MailRequest extends Pick<CountedMail, 'reference' | 'isResend'> {
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  /** The platform may have been called for the reference before. */
  readonly callsAgain: boolean;
}

export interface ReservedMail {
  release(): Promise<void>;
  /** Releases it if the task fails. */
  during<T>(task: () => Promise<T>): Promise<T>;
}

/** Limits how often an agency's invitations are sent to one address (D88). */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly store: DocumentStore,
    private readonly hashes: ErasureHashes,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `rate_limited`. */
  async reserve({ workspaceId, email, reference, isResend, callsAgain }: MailRequest): Promise<ReservedMail> {
    const id = this.hashes.address(workspaceId, email);
    const mail = { at: this.clock.now(), reference, isResend };
    let isAdded = false;
    await this.change(id, (mails) => {
      const reserved = reserveMail(mails, mail, callsAgain);
      isAdded = reserved.includes(mail);
      return reserved;
    });
    const release = async (): Promise<void> => {
      if (isAdded) await this.change(id, (mails) => mails.filter((other) => !isSame(other, mail)));
    };
    const during = async <T>(task: () => Promise<T>): Promise<T> => {
      try {
        return await task();
      } catch (error) {
        await release();
        throw error;
      }
    };
    return { release, during };
  }

  async sweep(): Promise<void> {
    const { name, indexes } = INVITATION_MAILS;
    const index = indexes[0]?.name ?? '';
    const ended = await this.store.find<AddressMails>(name, { index, lt: this.clock.now(), limit: SWEPT_TOGETHER });
    if (ended.length > 0) await this.store.write([{ collection: name, remove: ended.map(({ id }) => id) }]);
  }

  private async change(id: string, change: (mails: readonly CountedMail[]) => readonly CountedMail[]): Promise<void> {
    for (let isChanged = false; !isChanged; ) {
      const known = await this.store.get<AddressMails>(INVITATION_MAILS.name, id);
      const mails = change(known?.mails ?? []);
      const revision = (known?.revision ?? 0) + 1;
      const changed: AddressMails = { id, mails, revision, expiresAt: this.clock.now() + DAY };
      const expected = known === undefined ? null : { revision: known.revision };
      isChanged = await this.store.compareAndSet(INVITATION_MAILS.name, changed, expected);
    }
  }
}

const isSame = (one: CountedMail, other: CountedMail): boolean =>
  one.reference === other.reference && one.at === other.at;
