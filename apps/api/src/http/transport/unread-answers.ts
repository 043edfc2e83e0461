import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a stream reads ahead of its client: the chunk of a file. */
const STREAM_BYTES = 64 * 1024;

/** Large answers that their clients have not read: what all of them hold together is bounded in bytes. */
export class UnreadAnswers {
  /** The bytes of each, the oldest first. */
  private readonly held = new Map<ServerResponse, number>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** An answer is about to be sent. */
  add(response: ServerResponse, bytes: number): void {
    this.remove(response);
    this.held.set(response, bytes);
    this.bytes += bytes;
    // A client that reads has its answer within a moment, so the oldest ones are those that nobody reads.
    for (const [longest] of this.held) {
      if (this.bytes <= this.maxBytes || longest === response) return;
      this.remove(longest);
      longest.req.socket.destroy();
    }
  }

  remove(response: ServerResponse): void {
    const bytes = this.held.get(response);
    if (bytes === undefined) return;
    this.held.delete(response);
    this.bytes -= bytes;
  }

  /** The connection has ended, and with it all answers that waited on it. */
  removeOf(socket: Socket): void {
    if (this.held.size === 0) return;
    for (const [response] of this.held) if (response.req.socket === socket) this.remove(response);
  }
}

/** What an answer takes on its way; a character may take several bytes. */
export const bytesOf = (payload: unknown): number => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  return payload === undefined || payload === null ? 0 : STREAM_BYTES;
};
