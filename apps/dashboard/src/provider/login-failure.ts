/** Why somebody is not signed in; the page for them says no more. */
export type LoginProblem = 'expired' | 'refused' | 'unavailable' | 'too_many' | 'framed';

export class LoginFailure extends Error {
  constructor(
    readonly problem: LoginProblem,
    /** For the log: what was wrong, without tokens and claims. */
    readonly reason: string,
  ) {
    super(`${problem}: ${reason}`);
    this.name = 'LoginFailure';
  }
}
