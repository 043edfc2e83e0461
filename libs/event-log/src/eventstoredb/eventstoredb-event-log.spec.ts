import { eventLogContract } from '../contract/index.js';
import { logOnDouble } from './testing/log-on-double.js';

eventLogContract('the event log on EventStoreDB (its double)', logOnDouble);
