/** The data of a call, with its response. */
export interface Answer<Data> {
  readonly data: Data;
  /** Names the request in the service's logs. */
  readonly requestId: string | null;
  /** The raw answer; its body has not been read. */
  readonly response: Response;
}

/** A promise of the data, which also gives access to the response. */
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
    // The caller handles the rejection of the response, so the rejection of this promise counts as handled.
    this.catch(() => undefined);
    return this.#answer;
  }
}
