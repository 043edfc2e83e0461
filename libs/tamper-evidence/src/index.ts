export { withHashChain } from './hash-chain.js';
