/** Resolves in a turn of the event loop that no other caller has, in the order of the calls. */
export type Turn = () => Promise<void>;

/** @returns turns for long work. What has arrived meanwhile, such as requests for stored pages, is answered between two of them. */
export function createTurns(): Turn {
  const waiting: (() => void)[] = [];

  function next(): void {
    waiting.shift()?.();
    // An immediate that is set by an immediate runs in the next turn.
    if (waiting.length > 0) setImmediate(next);
  }

  return () =>
    new Promise(resolve => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** How long the slices of one turn may take together, in ms. A slice may end later by one step of its work. */
const SLICE_MS = 10;

const turns = createTurns();
let endsAt = 0;
/** The number of the slice that is counted. */
let slice = 0;
let isCounted = false;

/** Resolves in a turn of its own: renders, slices of long work, and single steps that take long. */
export const ownTurn: Turn = async () => {
  await turns();
  beginSlice();
};

/**
 * @param wait waits for a turn of its own.
 * @returns a function that waits for a turn of its own. While that turn lasts, later calls resolve at once.
 */
export function heldTurn(wait: Turn = ownTurn): Turn {
  let own = Number.NaN;
  return async () => {
    if (isCounted && slice === own) return;
    await wait();
    own = slice;
  };
}

function beginSlice(): void {
  endsAt = performance.now() + SLICE_MS;
  isCounted = true;
  slice += 1;
  const own = slice;
  setImmediate(() => {
    if (own === slice) isCounted = false;
  });
}

function isLate(): boolean {
  if (!isCounted) beginSlice();
  return performance.now() >= endsAt;
}

/** Work in small steps. It yields after each of them. */
export type Steps<T> = Generator<void, T, void>;

/** Does work in as many turns of the event loop as it needs. All work of the process together has one slice in a turn. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (isLate()) await ownTurn();
  }
}

/** Waits for a turn of its own if the slice of this one is over: between two pieces of work that cannot be cut themselves. */
export async function ownTurnIfLate(): Promise<void> {
  if (isLate()) await ownTurn();
}

/** Does work in one turn, for little work. */
export function atOnce<T>(work: Steps<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** Maps a list, one item in each step. */
export function* mapSteps<T, U>(items: Iterable<T>, map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item, mapped.length));
    yield;
  }
  return mapped;
}
