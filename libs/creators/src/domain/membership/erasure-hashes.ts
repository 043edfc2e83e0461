import { createHmac } from 'node:crypto';
import type { WorkspaceId } from '#kernel';

/** What is kept of an enrollment after the creator's erasure, to compare later requests with (D72). */
export interface EnrollmentHashes {
  readonly externalId: string;
  readonly fingerprint: string;
}

/** The key is not in the log: without it nobody can test which external id an erased creator had. */
export class ErasureHashes {
  /** 32 bytes, stored with the sentinel of the key store. */
  constructor(private readonly key: Buffer) {}

  of(
    workspaceId: WorkspaceId,
    { externalId, fingerprint }: { readonly externalId: string; readonly fingerprint: string },
  ): EnrollmentHashes {
    return {
      externalId: this.externalId(workspaceId, externalId),
      fingerprint: this.fingerprint(workspaceId, fingerprint),
    };
  }

  externalId(workspaceId: WorkspaceId, externalId: string): string {
    return this.hash('external id', workspaceId, externalId);
  }

  fingerprint(workspaceId: WorkspaceId, fingerprint: string): string {
    return this.hash('fingerprint', workspaceId, fingerprint);
  }

  /** D88: of an address that mails are counted for. */
  address(workspaceId: WorkspaceId, email: string): string {
    return this.hash('address', workspaceId, email.replaceAll(/\s/gu, '').toLowerCase());
  }

  private hash(...parts: readonly string[]): string {
    return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest('base64url');
  }
}
