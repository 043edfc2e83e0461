import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '#kernel';
import { positionOf } from './recorded.js';

/** A page ends after this many bytes: an event may take half a megabyte, and in memory several times that. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Counts the bytes of a page's events. Those up to `after` are given again and do not count: each page leads on. */
export class ByteLimit {
  private bytes = 0;

  constructor(private readonly after: Position) {}

  get isReached(): boolean {
    return this.bytes >= PAGE_BYTES;
  }

  count(message: streams.ReadResp): void {
    const recorded = message.getEvent()?.getEvent();
    if (recorded === undefined || positionOf(recorded.getCommitPosition()) <= this.after) return;
    this.bytes += recorded.getData_asU8().length + recorded.getCustomMetadata_asU8().length;
  }
}
