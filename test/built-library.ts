import type { Library } from './cases/library.ts';

/**
 * The core entry as it is published. `npm run build` makes it; without it the tests must fail, not prove the sources.
 */
export async function importBuiltLibrary(): Promise<Library> {
  return (await import(new URL('../dist/index.js', import.meta.url).href)) as Library;
}
