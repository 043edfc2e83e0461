import type { DueOutcome, Instant } from '#kernel';

/** An event of the step changes the due item. */
export interface Advanced {
  readonly outcome: 'advanced';
}

/** The step was not possible, or the next one is not possible before then. */
export interface Postponed {
  readonly outcome: 'postponed';
  readonly until: Instant;
}

/** No step is left until an event makes the item due again. */
export interface NothingLeft {
  readonly outcome: 'nothing_left';
}

/** The result of a command that makes one step of due work. */
export type StepResult = Advanced | Postponed | NothingLeft;

export const ADVANCED: Advanced = { outcome: 'advanced' };
export const NOTHING_LEFT: NothingLeft = { outcome: 'nothing_left' };
export const postponed = (until: Instant): Postponed => ({ outcome: 'postponed', until });

/** What a due job returns that has executed the step. */
export const dueOutcomeOf = (step: StepResult): DueOutcome => {
  switch (step.outcome) {
    case 'advanced':
      return 'done';
    case 'postponed':
      return { retryAt: step.until };
    case 'nothing_left':
      return 'idle';
  }
};
