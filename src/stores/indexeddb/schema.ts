import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { SessionHeader } from '../../session/session.ts';

/** One session, in everything but its events and messages. */
export interface SessionRow {
  /** The key. */
  readonly id: string;
  /** Which layout of rows and pages this session is written in. */
  readonly layout: number;
  readonly header: SessionHeader;
  readonly title: string | null;
  /** The seq that the next event must have. */
  readonly nextSeq: number;
  /** Unix time in ms. */
  readonly changedAt: number;
  /** Messages on the surface that another session could be shown, checkpoints included. */
  readonly messages: number;
  /** Of these, the checkpoints. */
  readonly checkpoints: number;
  /** UTF-8 bytes of the texts of the messages that are no checkpoints. */
  readonly bytes: number;
  /** The pages at the end of the log that are not full yet. */
  readonly openEventPages: readonly OpenPage[];
  /** The pages at the end of the surface that are not full yet. */
  readonly openSurfacePages: readonly OpenPage[];
  /** The revision of the database that put this session; of two sessions of one moment the later one is the newer. */
  readonly arrival: number;
  /** The revision of the database that last changed this session. */
  readonly revision: number;
}

/** A page that can still grow, or be joined with those beside it. */
export interface OpenPage {
  /** The second part of its key. */
  readonly first: number;
  /** How long its content is, in code units of text. */
  readonly size: number;
}

/** Consecutive events of a log. */
export interface EventPage {
  /** The seq of the first event. */
  readonly first: number;
  /** The events, each as JSON. */
  readonly lines: readonly string[];
}

/** Consecutive nodes of a surface, in columns: one entry per node in `anchors`, `seqs` and `roles`. */
export interface SurfacePage {
  /** The anchor of the first node. */
  readonly first: number;
  /** Where each node stands; see `surface-node.ts`. */
  readonly anchors: readonly number[];
  readonly seqs: readonly number[];
  /** One letter per node: `u`ser, `a`ssistant, `c`heckpoint, or `-` for what is not shown. */
  readonly roles: string;
  /** The texts of the user's and the assistant's messages, in order. Those of checkpoints are in their own store. */
  readonly texts: readonly string[];
  /** UTF-8 bytes of `texts`. */
  readonly bytes: number;
}

/** The checkpoint that stands at one anchor. */
export interface CheckpointRow {
  readonly anchor: number;
  readonly text: string;
}

/** What every write changes. */
export interface DatabaseState {
  /** Counts the writes: a reader whose copy is of the same revision need not read again. */
  readonly revision: number;
  /** Counts the deletions. */
  readonly removals: number;
}

/** Where something of a session stands: its id, and a seq or an anchor. */
export type PlaceKey = [id: string, place: number];

/** The object stores. Their layout, and why, is described in `indexeddb.design.md`. */
export interface StoreSchema extends DBSchema {
  state: { key: 'state'; value: DatabaseState };
  sessions: { key: string; value: SessionRow; indexes: { revision: number } };
  events: { key: PlaceKey; value: EventPage };
  surface: { key: PlaceKey; value: SurfacePage };
  checkpoints: { key: PlaceKey; value: CheckpointRow };
  /** The anchor of each node of a surface that took the place of others, by its seq. */
  replacements: { key: PlaceKey; value: number };
}

/** An open database. */
export type StoreDatabase = IDBPDatabase<StoreSchema>;

/** A transaction over every object store. */
export type ReadTransaction = IDBPTransaction<StoreSchema, StoreNames<StoreSchema>[], 'readonly'>;

/** A transaction over every object store that may change them. */
export type WriteTransaction = IDBPTransaction<StoreSchema, StoreNames<StoreSchema>[], 'readwrite'>;

/** The object stores, in the order in which they were invented. */
export const STORE_NAMES: StoreNames<StoreSchema>[] = [
  'state',
  'sessions',
  'events',
  'surface',
  'checkpoints',
  'replacements',
];

/** The object stores that hold parts of a session under its id and a place. */
export const PLACE_STORES = ['events', 'surface', 'checkpoints', 'replacements'] as const;

/** The layout that this code writes, as it stands in {@link SessionRow.layout}. */
export const LAYOUT = 1;

/** One step from a version of the database to the next. */
export type Migration = (database: StoreDatabase) => void;

/** What a database looks like: its version is the number of steps that lead there. */
export interface Schema {
  readonly migrations: readonly Migration[];
}

/** Every released version of the database: step `n` leads from version `n` to version `n + 1`. Only ever added to. */
export const SCHEMA: Schema = { migrations: [createStores] };

function createStores(database: StoreDatabase): void {
  database.createObjectStore('state');
  database.createObjectStore('sessions', { keyPath: 'id' }).createIndex('revision', 'revision');
  for (const name of PLACE_STORES) database.createObjectStore(name);
}

/**
 * Everything of one session in a store whose keys are places.
 *
 * @param id - the session.
 */
export function wholeSession(id: string): IDBKeyRange {
  // Must end with an array: arrays come after all numbers.
  return createRange([id], [id, []], true);
}

/**
 * The places of a session from one to another, both included.
 *
 * @param id - the session.
 * @param first - the first place.
 * @param last - the last place.
 */
export function placesBetween(id: string, first: number, last: number): IDBKeyRange {
  return createRange([id, first], [id, last], false);
}

/**
 * The places of a session that come after one.
 *
 * @param id - the session.
 * @param place - the last place that is left out.
 */
export function placesAfter(id: string, place: number): IDBKeyRange {
  return createRange([id, place], [id, []], true);
}

/**
 * The places of a session that come before one.
 *
 * @param id - the session.
 * @param place - the first place that is left out.
 */
export function placesBefore(id: string, place: number): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, place], true, true);
}

function createRange(lower: IDBValidKey, upper: IDBValidKey, isOpen: boolean): IDBKeyRange {
  return IDBKeyRange.bound(lower, upper, isOpen, isOpen);
}
