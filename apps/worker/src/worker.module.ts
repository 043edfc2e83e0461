import { Module } from '@nestjs/common';
import { AuditModule } from '#audit/module';
import { Worker } from './worker.js';

/** Runs from the start of its app to its end; the app's root module has the service. */
@Module({ imports: [AuditModule], providers: [Worker], exports: [Worker] })
export class WorkerModule {}
