import { Injectable } from '@nestjs/common';
import { ClockWatch, DeadLetters } from '#jobs';
import { EventLog, ORDER_TIMEOUT, type ScanId, type StreamName, streamName } from '#kernel';
import { scanDecider } from '../domain/scan.js';

/** Scans whose streams cannot be read: the log still says of them whether their due work was set aside (D87). */
@Injectable()
export class UnreadableScans {
  constructor(
    private readonly log: EventLog,
    private readonly deadLetters: DeadLetters,
    private readonly clocks: ClockWatch,
  ) {}

  /** As ended if it was never sent, or was set aside 72 hours ago. Undefined if it is not set aside. */
  async statusOf(scanId: ScanId): Promise<'pending' | 'ended' | undefined> {
    const stream = streamName(scanDecider.category, scanId);
    const deadLetter = await this.deadLetters.ofTask(stream);
    if (deadLetter === undefined) return undefined;
    const isOver = this.clocks.remainingFor(deadLetter, ORDER_TIMEOUT) === 0;
    const isPending = !isOver && (await this.hasSecondEvent(stream));
    return isPending ? 'pending' : 'ended';
  }

  /** The intent to send it is the second event. One that cannot be read may be that. */
  private async hasSecondEvent(stream: StreamName): Promise<boolean> {
    try {
      return (await this.log.readStream(stream, { from: 1, limit: 1 })).length > 0;
    } catch {
      return true;
    }
  }
}
