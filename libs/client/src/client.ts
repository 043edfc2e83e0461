import type { ClientOptions } from './options.js';
import { Cases } from './resources/cases.js';
import { Connections } from './resources/connections.js';
import { Creators } from './resources/creators.js';
import { Deindexing } from './resources/deindexing.js';
import { Events } from './resources/events.js';
import { Impersonations } from './resources/impersonations.js';
import { Scans } from './resources/scans.js';
import { Usages } from './resources/usages.js';
import { Workspaces } from './resources/workspaces.js';
import { Operations } from './transport/operations.js';
import { Transport } from './transport/transport.js';

/** The API of one agency, by resources. */
export class CreatorProtection {
  readonly connection: Connections;
  readonly workspaces: Workspaces;
  readonly creators: Creators;
  readonly scans: Scans;
  readonly cases: Cases;
  readonly deindexing: Deindexing;
  readonly impersonations: Impersonations;
  readonly usage: Usages;
  readonly events: Events;

  constructor(options: ClientOptions) {
    const operations = new Operations(new Transport(options));
    this.connection = new Connections(operations);
    this.workspaces = new Workspaces(operations);
    this.creators = new Creators(operations);
    this.scans = new Scans(operations);
    this.cases = new Cases(operations);
    this.deindexing = new Deindexing(operations);
    this.impersonations = new Impersonations(operations);
    this.usage = new Usages(operations);
    this.events = new Events(operations);
  }
}
