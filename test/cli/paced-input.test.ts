import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { pacedInput } from '../../src/cli/prompts/paced-input.js';

/** A prompt with its input: the keys it got, and timers that run when the test says so. */
function promptAtTerminal() {
  const stdin = new Readable({ read: () => undefined }) as NodeJS.ReadStream;
  const got: string[] = [];
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  let isBusy = false;
  stdin.on('data', (chunk: Buffer) => got.push(chunk.toString('utf8')));
  const input = pacedInput(
    stdin,
    () => isBusy,
    (ms, run) => void timers.push({ ms, run }),
  );
  return {
    ...input,
    got,
    stdin,
    type: (keys: string) => void stdin.emit('data', Buffer.from(keys)),
    /** Runs the timers that are due at once, and those of a prompt that draws nothing with `all`. */
    settle: (all = false) => {
      for (let due = timers.findIndex(({ ms }) => all || ms === 0); due >= 0; due = timers.findIndex(({ ms }) => all || ms === 0))
        timers.splice(due, 1)[0]?.run();
    },
    setBusy: (busy: boolean) => void (isBusy = busy),
  };
}

test('keys that are typed before the question is drawn are kept for it', () => {
  const { type, drawn, settle, got } = promptAtTerminal();
  type('Re');
  type('x');
  settle(true);
  expect(got).toEqual([]);
  drawn(false);
  settle();
  expect(got).toEqual(['Rex']);
});

test('a Return waits until the search for the text before it has ended', () => {
  const { type, drawn, settle, got, setBusy, continue: searched } = promptAtTerminal();
  drawn(false);
  settle();
  setBusy(true);
  type('ไทย\r');
  settle();
  expect(got).toEqual(['ไทย']);
  setBusy(false);
  searched();
  settle();
  expect(got).toEqual(['ไทย', '\r']);
});

test('what follows a Return is for the same question if that asks again, and for the next one if it is done', () => {
  const again = promptAtTerminal();
  again.drawn(false);
  again.settle();
  again.type('x\r9\r7');
  again.settle();
  expect(again.got).toEqual(['x', '\r']);
  again.drawn(false);
  again.settle();
  expect(again.got).toEqual(['x', '\r', '9', '\r']);
  again.drawn(true);
  again.settle(true);
  again.stop();
  expect(again.got).toEqual(['x', '\r', '9', '\r']);
  expect(again.stdin.read()).toEqual(Buffer.from('7'));
});

test('a question that draws nothing after a Return gets the next keys after a while', () => {
  const { type, drawn, settle, got } = promptAtTerminal();
  drawn(false);
  settle();
  type('\r\r');
  settle();
  expect(got).toEqual(['\r']);
  settle(true);
  expect(got).toEqual(['\r', '\r']);
});
