import type { Creator, EnrollCreatorBody } from '#client';

type Protection = Creator['protection_status'];

export interface RequestedScan {
  readonly key: string;
  /** As acknowledged. */
  id?: string;
}

/** A creator as the agency's backend remembers it: what it asked for, and what was acknowledged. */
export class Subject {
  id: string | undefined;
  /** The native user: given when it was linked, known of an invitee once it is onboarded. */
  userId: string | undefined;
  protection: Protection = 'not_activated';
  /** Changes of protection that were acknowledged. */
  changes = 0;
  readonly scans: RequestedScan[] = [];
  readonly aliases: string[] = [];
  /** Something was asked for that has not been answered; nothing else is asked until then. */
  isBusy = false;

  constructor(
    readonly externalId: string,
    readonly enrollment: EnrollCreatorBody,
    readonly linkedUser: string | undefined,
  ) {
    this.userId = linkedUser;
  }

  get isInvitee(): boolean {
    return this.linkedUser === undefined;
  }
}
