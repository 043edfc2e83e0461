/** Faults of the next appends. Each number says how many appends fail that way. */
export class Faults {
  /** The connection is lost before anything is written. */
  lostBefore = 0;
  /** All is written, and the connection is lost before the answer. */
  lostAfter = 0;
  /** Nothing is written, and no answer ever comes. */
  unheard = 0;
  /** All is written, and no answer ever comes. */
  unanswered = 0;
  /** All is written, and the answer says that it took too long. */
  timedOut = 0;
  /** Nothing is written: the server has too much to do. */
  busy = 0;
  /** Subscriptions send nothing before it settles. */
  heldBack: Promise<unknown> | undefined;
  /** The server has lost an election; the leader is where this says. */
  notLeader: { readonly host: string; readonly port: number; times: number } | undefined;

  strikes(fault: 'lostBefore' | 'lostAfter' | 'unheard' | 'unanswered' | 'timedOut' | 'busy'): boolean {
    if (this[fault] === 0) return false;
    this[fault]--;
    return true;
  }

  leaderElsewhere(): { readonly host: string; readonly port: number } | undefined {
    if (this.notLeader === undefined || this.notLeader.times === 0) return undefined;
    this.notLeader.times--;
    return this.notLeader;
  }
}
