export { answerRequests } from './serving.js';
export { WriterThread } from './writer-thread.js';
