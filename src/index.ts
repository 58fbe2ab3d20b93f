export { runLoop } from './loop.ts';
