import { browserSetting } from '../browser-setting.js';

/** Whether a tone is played for each line. */
export const soundSetting = browserSetting('petstore-board-sound', 'off');

let context: AudioContext | undefined;

/** Plays a tone. A browser plays none before somebody pressed a key or a button of the page. */
function play(frequency: number, seconds: number): void {
  if (!soundSetting.isOn.peek() || typeof AudioContext === 'undefined') return;
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
