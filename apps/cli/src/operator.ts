import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CallCounts, RefusedRequests } from '#dashboard';
import { ToolRunners } from './tool-runners.js';

@Injectable()
export class Operator {
  constructor(
    readonly commands: CommandBus,
    readonly queries: QueryBus,
    readonly runners: ToolRunners,
    readonly calls: CallCounts,
    readonly refused: RefusedRequests,
  ) {}
}
