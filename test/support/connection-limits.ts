export {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  MAX_PIPELINED,
} from '../../apps/api/src/http/transport/connections.js';
