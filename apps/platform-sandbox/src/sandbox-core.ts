import { CallLog } from './calls/call-log.js';
import { Faults } from './faults/faults.js';
import { settleSubmissions } from './platform/deindex-submissions.js';
import { settleInvitations } from './platform/invitations.js';
import { settleJobs } from './platform/scan-jobs.js';
import type { World } from './state/world.js';

export class SandboxCore {
  readonly faults = new Faults();
  readonly calls = new CallLog(() => this.world.now());
  /** Ends the waits of faults, so that closing does not wait for them. */
  readonly closing = new AbortController();

  constructor(readonly world: World) {}

  /** Runs synchronous work on a settled world, and makes its writes durable, also after an error. */
  apply<T>(work: (world: World) => T): T {
    settleJobs(this.world);
    settleSubmissions(this.world);
    settleInvitations(this.world);
    try {
      return work(this.world);
    } finally {
      this.world.commit();
    }
  }
}
