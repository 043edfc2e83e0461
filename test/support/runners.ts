export { LOG_RUNNERS, VIEWS } from '#contexts';
