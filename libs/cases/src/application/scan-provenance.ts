import type { CreatorId, ScanId } from '#kernel';

/** Which scan of which creator a job of the engine belongs to. */
export abstract class ScanProvenance {
  abstract scansOf(
    jobIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly scanId: ScanId; readonly creatorId: CreatorId }>>;
}
