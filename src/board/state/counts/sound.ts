import { signal } from '@preact/signals';

const setting = 'petstore-board-sound';

/** What this browser remembers of the setting; nothing where it blocks storage. */
function storedSetting(): string | null {
  try {
    return localStorage.getItem(setting);
  } catch {
    return null;
  }
}

/** Whether a line that is taken, and one that is refused, can be heard. Off until somebody turns it on. */
export const hasSound = signal(storedSetting() === 'on');

/** Remembers the setting in this browser. */
export function enableSound(isOn: boolean): void {
  hasSound.value = isOn;
  try {
    localStorage.setItem(setting, isOn ? 'on' : 'off');
  } catch {
    // It is still set on this page.
  }
}

let context: AudioContext | undefined;

/** Plays a tone. A browser plays none before somebody pressed a key or a button of the page. */
function play(frequency: number, seconds: number): void {
  if (!hasSound.peek() || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  void context.resume();
  const [tone, volume] = [new OscillatorNode(context, { frequency }), new GainNode(context, { gain: 0.1 })];
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + seconds);
}

/** A short high tone: the page has the line. */
export function playTaken(): void {
  play(880, 0.06);
}

/** A long low tone: a line was refused. */
export function playRefused(): void {
  play(220, 0.35);
}
