import type { CreatorId, ImpersonationId, Instant, WorkspaceId } from '#kernel';

/** What the native record says of an impersonation, as far as agencies may know it. */
export interface ImpersonationRecord {
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly createdAt: Instant;
  /** Moves forward with any change of the record. */
  readonly updatedAt: Instant;
}

interface About {
  readonly impersonationId: ImpersonationId;
  readonly creatorId: CreatorId;
}

export type RecordedImpersonation = Omit<ImpersonationRecord, 'url' | 'username'> & {
  readonly personal: Pick<ImpersonationRecord, 'url' | 'username'>;
};

type Fact<Type extends string, Data extends object> = {
  readonly type: `impersonation.${Type}.v1`;
  readonly data: Data;
};

export type ImpersonationEvent =
  | Fact<'opened', About & RecordedImpersonation & { workspaceId: WorkspaceId; nativeId: string }>
  | Fact<'changed', About & RecordedImpersonation>
  | Fact<'removed', About>
  | Fact<'restored', About & RecordedImpersonation>;
