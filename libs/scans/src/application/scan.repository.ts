import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository, type ScanId } from '#kernel';
import type { ScanEvent } from '../domain/scan.events.js';
import { type Scan, scanDecider } from '../domain/scan.js';

export type LoadedScan<State extends Scan = Scan> = LoadedState<State, ScanId>;

@Injectable()
export class ScanRepository extends Repository<Scan, ScanEvent, ScanId> {
  constructor(runner: CommandRunner) {
    super(scanDecider, runner);
  }
}
