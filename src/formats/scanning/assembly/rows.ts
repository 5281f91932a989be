/**
 * Understands the rows of a deepseek-harness log: `HarnessRowScanner` for WebAssembly, of which every rule here is a
 * twin. A row that is laid out in any other way than usual is left to be parsed.
 */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  close,
  endsWithBrace,
  isEscaped,
  isWord,
  OPEN_BRACE,
  OPEN_BRACKET,
  open,
  passInteger,
  passString,
  passValue,
  peek,
  QUOTE,
  stringBytes,
  stringEnd,
  stringStart,
  take,
} from './cursor';

// What a row is: see log-scanner.ts.
export const PASSED: i32 = 0;
export const HIDDEN: i32 = 1;
export const USER: i32 = 2;
export const ASSISTANT: i32 = 3;
export const UNREAD: i32 = 4;

// What `type` says.
const OTHER_TYPE: i32 = 0;
const USER_TYPE: i32 = 1;
const STEERING_TYPE: i32 = 2;
const ASSISTANT_TYPE: i32 = 3;
const TOOL_RESULT_TYPE: i32 = 4;
const PACKED_TYPE: i32 = 5;
const PARSED_TYPE: i32 = 6;

// What `source` says.
const NO_SOURCE: i32 = 0;
const USER_SOURCE: i32 = 1;
const COMPACT_SOURCE: i32 = 2;
const OTHER_SOURCE: i32 = 3;

let type: i32 = OTHER_TYPE;
let source: i32 = NO_SOURCE;
/** The event's `seq`, or -1 for none. */
export let seq: f64 = -1;
/** How many events a passed row stands for. */
export let count: i32 = 1;
/** Whether a message has a visible text, and where it stands. A message with several is parsed. */
export let hasText: bool = false;
export let textStart: usize = 0;
export let textEnd: usize = 0;
/** The UTF-8 bytes that it stands for. */
export let textBytes: usize = 0;

/** Look at one row. */
export function scanRow(start: usize, end: usize): i32 {
  open(start, end);
  type = OTHER_TYPE;
  source = NO_SOURCE;
  seq = -1;
  count = 1;
  hasText = false;
  if (!passRow() || peek() >= 0) return UNREAD;
  return toKind();
}

function toKind(): i32 {
  switch (type) {
    case ASSISTANT_TYPE:
      return ASSISTANT;
    case USER_TYPE:
      // Rare enough to be parsed, and never to be forgotten.
      if (source === COMPACT_SOURCE) return UNREAD;
      return source === USER_SOURCE ? USER : HIDDEN;
    case STEERING_TYPE:
      return source === USER_SOURCE ? USER : HIDDEN;
    case TOOL_RESULT_TYPE:
      return HIDDEN;
    case PARSED_TYPE:
      return UNREAD;
    default:
      return PASSED;
  }
}

function passRow(): bool {
  if (!take(OPEN_BRACE)) return false;
  // Must come first: what else a row holds is understood by its type.
  if (!passKey() || !isWord('type') || !take(COLON) || !passString()) return false;
  type = readType();
  if (type === PARSED_TYPE) return true;
  while (take(COMMA)) {
    if (!passKey()) return false;
    if (isWord('seq') || isWord('seq0')) {
      if (!take(COLON)) return false;
      seq = passInteger();
      if (seq < 0) return false;
      // Nothing else of a row that cannot be on the surface is of interest.
      if (type === OTHER_TYPE) return passRest();
    } else if (isWord('data')) {
      if (!take(COLON) || !passData()) return false;
    } else if (isWord('surfaceOp')) {
      if (!take(COLON) || !passString() || !isWord('append')) return false;
    } else if (!take(COLON) || !passValue()) {
      return false;
    }
  }
  return take(CLOSE_BRACE);
}

/** Believe that a line that ends like an object is one. */
function passRest(): bool {
  if (!endsWithBrace()) return false;
  close();
  return true;
}

function readType(): i32 {
  if (isEscaped) return PARSED_TYPE;
  if (isWord('user/message')) return USER_TYPE;
  if (isWord('assistant/message')) return ASSISTANT_TYPE;
  if (isWord('tool/result')) return TOOL_RESULT_TYPE;
  if (isWord('steering/message')) return STEERING_TYPE;
  if (isWord('session/title') || isWord('session')) return PARSED_TYPE;
  if (isWord('text-chunks') || isWord('reasoning-chunks') || isWord('tool-call-chunks')) return PACKED_TYPE;
  return OTHER_TYPE;
}

function passData(): bool {
  if (type === PACKED_TYPE) return countPacked();
  if (type === OTHER_TYPE || type === TOOL_RESULT_TYPE || peek() !== OPEN_BRACE) return passValue();
  return passMessage(true);
}

function countPacked(): bool {
  count = 0;
  if (!take(OPEN_BRACE)) return false;
  if (take(CLOSE_BRACE)) return true;
  do {
    if (!passKey()) return false;
    const isList = isWord('texts') || isWord('args');
    if (!take(COLON)) return false;
    if (!(isList && peek() === OPEN_BRACKET ? countElements() : passValue())) return false;
  } while (take(COMMA));
  return take(CLOSE_BRACE);
}

function countElements(): bool {
  take(OPEN_BRACKET);
  if (take(CLOSE_BRACKET)) return true;
  do {
    count += 1;
    if (!passValue()) return false;
  } while (take(COMMA));
  return take(CLOSE_BRACKET);
}

/** The message, or the data that holds one: what the inner one says counts. */
function passMessage(isOuter: bool): bool {
  let inner = false;
  if (!take(OPEN_BRACE)) return false;
  if (take(CLOSE_BRACE)) return true;
  do {
    if (!passKey()) return false;
    const isMessage = isOuter && isWord('message');
    const isContent = isWord('content');
    const isSource = isWord('source');
    // Context that was baked in, and the human's own words beside it: rare enough to be parsed.
    if (isWord('envelope') || !take(COLON)) return false;
    if (isMessage && peek() === OPEN_BRACE) {
      inner = true;
      hasText = false;
      source = NO_SOURCE;
      if (!passMessage(false)) return false;
    } else if (inner || !(isContent || isSource)) {
      if (!passValue()) return false;
    } else if (!(isContent ? passContent() : passSource())) {
      return false;
    }
  } while (take(COMMA));
  return take(CLOSE_BRACE);
}

function passContent(): bool {
  hasText = false;
  const first = peek();
  if (first === QUOTE) return passString() && takeText();
  if (first !== OPEN_BRACKET) return passValue();
  take(OPEN_BRACKET);
  if (take(CLOSE_BRACKET)) return true;
  do {
    if (!(peek() === OPEN_BRACE ? passBlock() : passValue())) return false;
  } while (take(COMMA));
  return take(CLOSE_BRACKET);
}

function passBlock(): bool {
  const hadText = hasText;
  let isText = false;
  hasText = false;
  take(OPEN_BRACE);
  if (!take(CLOSE_BRACE)) {
    do {
      if (!passKey()) return false;
      const isType = isWord('type');
      const isTextField = isWord('text');
      if (!take(COLON)) return false;
      if (!(isType || isTextField) || peek() !== QUOTE) {
        if (!passValue()) return false;
        continue;
      }
      // What a block of several texts is made of is found again by parsing.
      if (!passString() || (hadText && isTextField)) return false;
      if (isType) isText = isWord('text');
      else takeText();
    } while (take(COMMA));
    if (!take(CLOSE_BRACE)) return false;
  }
  hasText = hadText || (isText && hasText);
  return true;
}

function passSource(): bool {
  if (peek() !== OPEN_BRACE) return passValue();
  let isUser = false;
  let isOfPlugin = false;
  let isCompact = false;
  take(OPEN_BRACE);
  if (!take(CLOSE_BRACE)) {
    do {
      if (!passKey()) return false;
      const isKind = isWord('kind');
      const isPlugin = isWord('plugin');
      if (!take(COLON)) return false;
      if (!(isKind || isPlugin) || peek() !== QUOTE) {
        if (!passValue()) return false;
        continue;
      }
      if (!passString()) return false;
      if (isPlugin) {
        isCompact = isWord('compact');
      } else {
        isUser = isWord('user');
        isOfPlugin = isWord('plugin');
      }
    } while (take(COMMA));
    if (!take(CLOSE_BRACE)) return false;
  }
  source = isUser ? USER_SOURCE : isOfPlugin && isCompact ? COMPACT_SOURCE : OTHER_SOURCE;
  return true;
}

function takeText(): bool {
  hasText = true;
  textStart = stringStart;
  textEnd = stringEnd;
  textBytes = stringBytes;
  return true;
}

function passKey(): bool {
  return passString() && !isEscaped;
}
