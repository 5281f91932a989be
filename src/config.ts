import { describeType, SessionReferenceError } from './error.ts';
import { isRecord } from './record.ts';

/** The most distinct sessions that one message can reference, and the default of `maxReferences`. */
export const DEFAULT_MAX_REFERENCES = 3;
/** How many candidates are listed when the caller names no limit. */
export const DEFAULT_CANDIDATE_LIMIT = 50;
/** The most UTF-8 bytes that the JSON of one referenced session takes. */
export const DEFAULT_MAX_REFERENCE_BYTES = 65_536;

/** Settings of the service. Missing, `undefined` and `null` mean the default; unknown keys are ignored. */
export interface SessionReferencesConfig {
  /** Distinct sessions that one message may reference: 1, 2 or 3. Default 3. */
  readonly maxReferences?: number | null | undefined;
  /** Candidates listed when the caller names no limit, at least 1. Default 50. */
  readonly candidateLimit?: number | null | undefined;
  /** UTF-8 bytes of the serialized JSON of one reference object, at least 1. Default 65,536. */
  readonly maxReferenceBytes?: number | null | undefined;
}

/** Settings with every default filled in. */
export interface ResolvedConfig {
  readonly maxReferences: number;
  readonly candidateLimit: number;
  readonly maxReferenceBytes: number;
}

/**
 * Check settings and fill in the defaults.
 *
 * @param config - what the host gave, of any type.
 * @throws SessionReferenceError `INVALID_CONFIG`, naming the key and what it allows.
 */
export function resolveConfig(config: unknown): ResolvedConfig {
  if (config === undefined || config === null) return resolveConfig({});
  if (!isRecord(config)) throw invalidConfig(`The configuration must be an object, not ${describeType(config)}.`);
  return {
    maxReferences: readInteger('maxReferences', config.maxReferences, DEFAULT_MAX_REFERENCES, DEFAULT_MAX_REFERENCES),
    candidateLimit: readInteger('candidateLimit', config.candidateLimit, DEFAULT_CANDIDATE_LIMIT),
    maxReferenceBytes: readInteger('maxReferenceBytes', config.maxReferenceBytes, DEFAULT_MAX_REFERENCE_BYTES),
  };
}

function readInteger(key: string, value: unknown, fallback: number, maximum = Number.MAX_SAFE_INTEGER): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= maximum) return value;
  const allowed = maximum === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${maximum}`;
  const found = typeof value === 'number' ? String(value) : describeType(value);
  throw invalidConfig(`${key} must be a whole number ${allowed}, not ${found}.`);
}

function invalidConfig(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', message);
}
