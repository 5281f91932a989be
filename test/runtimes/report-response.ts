import { runEveryCaseHere } from './program.ts';

/** For workerd: the report as the answer to a request. */
export default {
  async fetch(): Promise<Response> {
    return new Response(JSON.stringify(await runEveryCaseHere()));
  },
};
