/** The built package, as a host imports it. */

export { connectSessionReferences } from '../../dist/client.js';
export { exposeSessionReferences } from '../../dist/expose.js';
export { MemorySessionStore } from '../../dist/index.js';
