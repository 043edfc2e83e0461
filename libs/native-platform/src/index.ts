export { NativePlatform } from './native-platform.js';
