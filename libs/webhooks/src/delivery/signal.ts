/** Wakes whoever waits for it; one that rings between looking and waiting is not missed. */
export class Bell {
  private rung = Promise.withResolvers<void>();

  /** Taken before looking, awaited after it. */
  get next(): Promise<void> {
    return this.rung.promise;
  }

  ring(): void {
    this.rung.resolve();
    this.rung = Promise.withResolvers<void>();
  }
}
