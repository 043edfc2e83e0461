import { hash } from 'node:crypto';
import { CompactMap, type CreatorId, ENCRYPTED, ERASED, type Revision, type UserId } from '#kernel';

declare const digest: unique symbol;

/** 132 bits of the SHA-256 of a text that the roster only compares: a roster only grows, and ids may be long. */
export type Digest = string & { readonly [digest]: true };

export const digestOf = (text: string): Digest => hash('sha256', text, 'base64url').slice(0, 22) as Digest;

const FORMS = ['readable', 'encrypted', 'erased'] as const;

export interface RosterEntry {
  readonly creatorId: CreatorId;
  /** As its external id was when the roster was folded. */
  readonly externalId: (typeof FORMS)[number];
  /** The request that enrolled it; null for a creator that was only imported. */
  readonly fingerprint: Digest | null;
  readonly userId: UserId | null;
  /** D31: enrolled through POST. False after it failed, was cancelled, detached or transferred. */
  readonly counted: boolean;
  /** D74: the user of another creator accepted its invitation, so it never gets a user. */
  readonly isDetached: boolean;
  /** D72: its personal data was destroyed, and only hashes are kept. */
  readonly isErased: boolean;
  /**
   * The revision of its stream when the latest attempt after a refusal began. Earlier events belong to earlier tries.
   */
  readonly retriedAtRevision: Revision;
}

export const formOf = (externalId: string): RosterEntry['externalId'] => {
  if (externalId === ENCRYPTED) return 'encrypted';
  return externalId === ERASED ? 'erased' : 'readable';
};

export class RosterEntries {
  static readonly NONE = new RosterEntries(CompactMap.empty());

  private constructor(private readonly lines: CompactMap<CreatorId, string>) {}

  get size(): number {
    return this.lines.size;
  }

  get(creatorId: CreatorId): RosterEntry | undefined {
    const line = this.lines.get(creatorId);
    return line === undefined ? undefined : entryOf(creatorId, line);
  }

  set(entry: RosterEntry): RosterEntries {
    return new RosterEntries(this.lines.set(entry.creatorId, lineOf(entry)));
  }
}

const lineOf = (entry: RosterEntry): string => {
  const { externalId, counted, isDetached, isErased, retriedAtRevision, fingerprint, userId } = entry;
  const flags = [counted, isDetached, isErased].map(Number);
  return JSON.stringify([FORMS.indexOf(externalId), ...flags, retriedAtRevision, fingerprint, userId]);
};

const entryOf = (creatorId: CreatorId, line: string): RosterEntry => {
  const [form, counted, isDetached, isErased, retriedAtRevision, fingerprint, userId] = JSON.parse(line) as [
    ...(readonly [number, number, number, number]),
    Revision,
    Digest | null,
    UserId | null,
  ];
  return {
    creatorId,
    externalId: FORMS[form] ?? 'readable',
    fingerprint,
    userId,
    counted: counted === 1,
    isDetached: isDetached === 1,
    isErased: isErased === 1,
    retriedAtRevision,
  };
};
