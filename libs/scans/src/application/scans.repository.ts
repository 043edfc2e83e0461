import { type CreatorId, type LoadedState, repositoryOf, type ScanId } from '#kernel';
import type { ScanEvent } from '../domain/scan.events.js';
import { type Scan, scanDecider } from '../domain/scan.js';
import { type ScanAllowance, type ScanAllowanceEvent, scanAllowanceDecider } from '../domain/scan-allowance.js';

export type LoadedScan<State extends Scan = Scan> = LoadedState<State, ScanId>;
export type LoadedScanAllowance = LoadedState<ScanAllowance, CreatorId>;

export class ScanRepository extends repositoryOf<Scan, ScanEvent, ScanId>(scanDecider) {}
export class ScanAllowanceRepository extends repositoryOf<ScanAllowance, ScanAllowanceEvent, CreatorId>(
  scanAllowanceDecider,
) {}
