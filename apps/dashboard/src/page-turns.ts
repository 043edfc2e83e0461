import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { KeyedQueue, type WorkspaceId } from '#kernel';

/**
 * Reads large pages of one workspace one at a time, each in its own turn of the event loop. A store in this process
 * answers without a break, so that the downloads of one agency would hold up all other requests until they end.
 */
@Injectable()
export class PageTurns {
  private readonly queue = new KeyedQueue();

  read<Page>(workspaceId: WorkspaceId, page: () => Promise<Page>): Promise<Page> {
    return this.queue.run(workspaceId, async () => {
      await nextTurn();
      return page();
    });
  }
}
