import type { Command } from 'commander';
import type { Operator } from './operator.js';

/** A command's work: it gets the buses on the configured stores, and returns the result to print. */
export type Action<Result = unknown> = (operator: Operator, options: never, ...words: never[]) => Promise<Result>;

/** The work of a command that opens what it needs, and can run with only a copy of the log. */
type Task = (environment: NodeJS.ProcessEnv, options: never, ...words: never[]) => Promise<unknown>;

/** Registers a command whose result is printed. Commands differ in the keys that they need (D71). */
export interface Register {
  (command: Command, action: Action): void;
  /**
   * A command whose result has a secret that is shown only once. It does nothing if its output certainly cannot be
   * written. If writing fails afterwards, the error names the command that `remedy` gives for the result's id.
   */
  revealing(command: Command, action: Action<{ readonly id: string }>, remedy: (id: string) => string): void;
  /** A command that only reads, unless its options say that it writes. */
  reading(command: Command, action: Action, isWriting?: (options: never) => boolean): void;
  /** A command that changes only read models; it also works on a copy of the log without its keys. */
  analysing(command: Command, action: Action): void;
  apart(command: Command, task: Task): void;
}
