import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GroupCommit, messageOf, StoreUnavailable } from '#kernel/ports';
import { CLOSE, type Outcomes, receivedError } from './committing.js';

interface StoreWriterOptions<Task> {
  readonly name: string;
  readonly module: URL;
  readonly settings: unknown;
  /** The task as it passes to the thread. */
  readonly messageOf?: (task: Task) => unknown;
  readonly shareOf?: (task: Task) => number;
}

/** A writer keeps little in memory; small limits free its messages soon. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/**
 * Writes of an embedded store: tasks are committed together, and answered after the commit. A thread of the store does
 * that, so that a sync to disk does not block other work. It starts with the first task, and again after a failure.
 */
export class StoreWriter<Task, Result> {
  readonly #groups: GroupCommit<Task, Result>;
  #worker: Worker | undefined;
  /** The group that the thread is committing; there is at most one. */
  #underWay: PromiseWithResolvers<Outcomes<Result>> | undefined;

  constructor(private readonly options: StoreWriterOptions<Task>) {
    const { name, messageOf: sent = (task) => task, shareOf } = options;
    const commit = async (group: readonly Task[]): Promise<(Result | Error)[]> => {
      const { results, errors } = await this.#ask(group.map(sent));
      return results.map((result, place) => {
        const error = errors.get(place);
        return error === undefined ? result : receivedError(error);
      });
    };
    this.#groups = new GroupCommit(name, commit, shareOf);
  }

  /** Rejects with the task's own error, or with `StoreUnavailable`; then its outcome is unknown. */
  add(task: Task): Promise<Result> {
    return this.#groups.add(task);
  }

  /** Accepts nothing more, and ends the thread after everything that was accepted has been written. */
  async close(): Promise<void> {
    await this.#groups.close();
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    worker.postMessage(CLOSE);
    await once(worker, 'exit');
  }

  #ask(group: readonly unknown[]): Promise<Outcomes<Result>> {
    this.#worker ??= this.#start();
    // Throws for a group that cannot be sent, before anybody waits for its answer.
    this.#worker.postMessage(group);
    this.#worker.ref();
    this.#underWay = Promise.withResolvers();
    return this.#underWay.promise;
  }

  #start(): Worker {
    const { module, settings } = this.options;
    const worker = threadOf(module, settings);
    let failure: unknown;
    // An idle thread does not keep the process alive.
    worker.unref();
    worker.on('message', (outcomes: Outcomes<Result>) => {
      worker.unref();
      this.#underWay?.resolve(outcomes);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.once('exit', () => {
      this.#worker = undefined;
      const cause = failure === undefined ? '' : `: ${messageOf(failure)}`;
      this.#underWay?.reject(new StoreUnavailable(`the thread that writes has ended${cause}`, { cause: failure }));
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
const threadOf = (module: URL, workerData: unknown): Worker =>
  IS_SOURCE
    ? new Worker(new URL(module.href.replace(/\.js$/, '.ts')), {
        workerData,
        resourceLimits: LIMITS,
        execArgv: SOURCE_FLAGS,
      })
    : new Worker(module, { workerData, resourceLimits: LIMITS });
