/** What `run-random-sessions.ts` came to in Node: the first 64 bits of SHA-256, block by block. */
export const RANDOM_DIGESTS: readonly string[] = [
  '45db1d6e9a8dbd7e',
  '1afaa81df63c54f1',
  '14c40daf6bd32f5c',
  '1adc3b0de2ca3a68',
  '572f4a320e1ecffd',
  '0eb11d14ded7711b',
  'd32530fbbb55a05e',
  'badfad63de40ba1f',
  'd140784d780ced64',
  'ebb416d0b3c66e6f',
];
