import type { Subject } from '../subjects.js';

/** Who has read or changed which subject, and at which position. */
export interface TouchLog<Run> {
  readonly noteRead: (run: Run, subjects: readonly Subject[], position: number) => void;
  readonly noteChange: (run: Run, subjects: readonly Subject[], position: number) => void;
  /** Whether another run has changed one of the subjects after a position. */
  readonly changedSince: (run: Run, subjects: readonly Subject[], position: number) => boolean;
  /** Whether another run has read or changed one of the subjects after a position. */
  readonly touchedSince: (run: Run, subjects: readonly Subject[], position: number) => boolean;
}

/** An empty log. */
export function touchLog<Run>(): TouchLog<Run> {
  type Touches = Map<Subject, Map<Run, number>>;
  const [reads, changes]: readonly [Touches, Touches] = [new Map(), new Map()];
  const note = (touches: Touches) => (run: Run, subjects: readonly Subject[], position: number) => {
    for (const subject of subjects) touches.set(subject, (touches.get(subject) ?? new Map<Run, number>()).set(run, position));
  };
  const isIn = (touches: Touches, run: Run, subjects: readonly Subject[], position: number): boolean =>
    subjects.some((subject) => [...(touches.get(subject) ?? [])].some(([other, at]) => other !== run && at > position));
  return {
    noteRead: note(reads),
    noteChange: note(changes),
    changedSince: (...asked) => isIn(changes, ...asked),
    touchedSince: (...asked) => isIn(changes, ...asked) || isIn(reads, ...asked),
  };
}
