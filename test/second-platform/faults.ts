/** Passing faults, each for the next call of its operation. */
export type Fault =
  /** Refused before anything happened. */
  | { status: 429 | 500 | 502 | 503 | 504 }
  /** Done, and the connection broken before the answer. */
  | 'cut after the effect';

export class Faults {
  private readonly planned = new Map<string, Fault[]>();

  next(operation: string, ...faults: Fault[]): void {
    this.planned.set(operation, [...(this.planned.get(operation) ?? []), ...faults]);
  }

  take(operation: string): Fault | undefined {
    return this.planned.get(operation)?.shift();
  }
}
