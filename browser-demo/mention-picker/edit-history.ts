import type { Draft } from './draft.ts';

/** A draft and where the caret stood in it. */
export interface EditState {
  readonly draft: Draft;
  readonly caret: number;
}

/** What kind of change a step is: typing and deleting are joined into longer steps, everything else stands alone. */
export type EditKind = 'type' | 'delete' | 'other';

/** Time in ms within which two keystrokes belong to one step. */
const STEP_PAUSE = 900;
const MAX_STEPS = 200;

/** Undo and redo for a draft. The browser's own history does not survive chips that are put in by script. */
export class EditHistory {
  #past: EditState[] = [];
  #future: EditState[] = [];
  #lastKind: EditKind | undefined;
  #lastTime = 0;

  /**
   * Remember a state before it is changed.
   *
   * @param before - the state that undo shall bring back.
   * @param kind - what changes it.
   * @param time - in ms, from any clock.
   */
  record(before: EditState, kind: EditKind, time: number): void {
    const continues = kind !== 'other' && kind === this.#lastKind && time - this.#lastTime < STEP_PAUSE;
    this.#lastKind = kind;
    this.#lastTime = time;
    this.#future = [];
    if (continues) return;
    this.#past.push(before);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
  }

  /** The state before the last step, or `undefined`. `current` becomes what redo brings back. */
  undo(current: EditState): EditState | undefined {
    return this.#move(this.#past, this.#future, current);
  }

  /** The state that was undone last, or `undefined`. */
  redo(current: EditState): EditState | undefined {
    return this.#move(this.#future, this.#past, current);
  }

  /** Forget everything: the draft was sent or belongs to another conversation. */
  clear(): void {
    this.#past = [];
    this.#future = [];
    this.#lastKind = undefined;
  }

  #move(from: EditState[], to: EditState[], current: EditState): EditState | undefined {
    const state = from.pop();
    if (state === undefined) return undefined;
    to.push(current);
    this.#lastKind = undefined;
    return state;
  }
}
