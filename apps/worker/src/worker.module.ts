import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from '#kernel';
import type { Services } from '../../composition/src/index.js';
import { Worker } from './worker.js';

@Module({})
export class WorkerModule {
  /** The worker over services that somebody else made, and will close. It runs from the start of its app to its end. */
  static over(services: Services, logger: Logger): DynamicModule {
    const worker = { provide: Worker, useFactory: () => new Worker(services, logger) };
    return { module: WorkerModule, providers: [worker], exports: [Worker] };
  }
}
