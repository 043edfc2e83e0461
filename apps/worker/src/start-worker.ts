import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Running } from '../../service/src/run.js';
import { WorkerModule } from './worker.module.js';

@Module({})
class WorkerRoot {}

/** The worker alone, an application without HTTP. */
export const startWorker = async (service: DynamicModule): Promise<Running> => {
  const root = { module: WorkerRoot, imports: [service, WorkerModule] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return { app, stop: () => app.close() };
};
