import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { messageOf, StoreUnavailable } from '#kernel/ports';
import { CLOSE } from './serving.js';

/** A writer keeps little in memory; small limits free its messages soon. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A separate thread for a store's writes, so that a sync to disk does not block other work. It starts with the first
 * request, and again after a failure.
 */
export class WriterThread<Settings, Request, Answer> {
  #worker: Worker | undefined;
  #waiting: Waiting<Answer>[] = [];

  /** The module calls `answerRequests`, and gets the settings. */
  constructor(
    private readonly module: URL,
    private readonly settings: Settings,
  ) {}

  /** Rejects with `StoreUnavailable` if the thread ends first; then the outcome is unknown. */
  ask(request: Request): Promise<Answer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      // A request that cannot be sent is refused here, so that nobody waits for its answer.
      worker.postMessage(request);
      if (this.#waiting.push({ resolve, reject }) === 1) worker.ref();
    });
  }

  /** Ends the thread after it has answered everything. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    worker.ref();
    worker.postMessage(CLOSE);
    await once(worker, 'exit');
  }

  #start(): Worker {
    const worker = threadOf(this.module, { workerData: this.settings, resourceLimits: LIMITS });
    let failure: unknown;
    // An idle thread keeps no process alive.
    worker.unref();
    worker.on('message', (answer: Answer) => {
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length === 0 && this.#worker === worker) worker.unref();
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      const waiting = this.#waiting;
      this.#waiting = [];
      const cause = failure === undefined ? '' : `: ${messageOf(failure)}`;
      const error = new StoreUnavailable(`the thread that writes has ended${cause}`, { cause: failure });
      for (const { reject } of waiting) reject(error);
    });
    return worker;
  }
}

const IS_SOURCE = import.meta.filename.endsWith('.ts');
const RUN_TYPESCRIPT = new URL('./run-typescript.mjs', import.meta.url).href;
const SOURCE_FLAGS = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  '--import',
  RUN_TYPESCRIPT,
];

/** The built module; where Jest runs the sources, Node compiles the module's source when the thread loads it. */
const threadOf = (module: URL, options: WorkerOptions): Worker =>
  IS_SOURCE
    ? new Worker(new URL(module.href.replace(/\.js$/, '.ts')), { ...options, execArgv: SOURCE_FLAGS })
    : new Worker(module, options);
