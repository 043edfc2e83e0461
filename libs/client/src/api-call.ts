/** What came with the data of a call. */
export interface Answer<Data> {
  readonly data: Data;
  /** Names the request in the service's logs. */
  readonly requestId: string | null;
  /** The raw answer; its body has not been read. */
  readonly response: Response;
}

/** A promise of the data, which has the answer that the data came with too. */
export class ApiCall<Data> extends Promise<Data> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<Data>>;

  constructor(answer: Promise<Answer<Data>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject);
    });
    this.#answer = answer;
  }

  /** The data with its response, such as the status 201 or 200 of an enrollment. */
  withResponse(): Promise<Answer<Data>> {
    // The caller handles the failure of the answer, and not that of the data alone.
    this.catch(() => undefined);
    return this.#answer;
  }
}
