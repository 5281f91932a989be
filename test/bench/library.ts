/** What the comparison with the published peer needs of this library. */
export { SessionReferences } from '../../src/index.ts';
export { createEvents, toSurfaceSnapshot } from './conversations.ts';
