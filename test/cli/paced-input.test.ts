import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pacedInput } from '../../src/cli/prompts/paced-input.js';

/** A prompt with its input: the keys it got, and timers that run when the test says so. */
function promptAtTerminal() {
  const stdin = new Readable({ read: () => undefined }) as NodeJS.ReadStream;
  const got: string[] = [];
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  let isBusy = false;
  const input = pacedInput(
    stdin,
    () => isBusy,
    (ms, run) => void timers.push({ ms, run }),
  );
  input.keys.on('data', (chunk: Buffer) => got.push(chunk.toString('utf8')));
  return {
    ...input,
    got,
    stdin,
    type: async (keys: string) => {
      stdin.push(Buffer.from(keys));
      await setImmediate();
    },
    /** Runs the timers that are due at once, and those of a prompt that draws nothing with `all`. */
    settle: async (all = false) => {
      for (let due = timers.findIndex(({ ms }) => all || ms === 0); due >= 0; due = timers.findIndex(({ ms }) => all || ms === 0)) {
        timers.splice(due, 1)[0]?.run();
        await setImmediate();
      }
    },
    setBusy: (busy: boolean) => void (isBusy = busy),
  };
}

test('keys that are typed before the question is drawn are kept for it', async () => {
  const { type, drawn, settle, got } = promptAtTerminal();
  await type('Re');
  await type('x');
  await settle(true);
  expect(got).toEqual([]);
  drawn(false);
  await settle();
  expect(got).toEqual(['Rex']);
});

test('a Return waits until the search for the text before it has ended', async () => {
  const { type, drawn, settle, got, setBusy, continue: searched } = promptAtTerminal();
  drawn(false);
  await settle();
  setBusy(true);
  await type('ไทย\r');
  await settle();
  expect(got).toEqual(['ไทย']);
  setBusy(false);
  searched();
  await settle();
  expect(got).toEqual(['ไทย', '\r']);
});

test('what follows a Return is for the same question if that asks again, and for the next one if it is done', async () => {
  const again = promptAtTerminal();
  again.drawn(false);
  await again.settle();
  await again.type('x\r9\r7');
  await again.settle();
  expect(again.got).toEqual(['x', '\r']);
  again.drawn(false);
  await again.settle();
  expect(again.got).toEqual(['x', '\r', '9', '\r']);
  again.drawn(true);
  await again.settle(true);
  again.stop();
  expect(again.got).toEqual(['x', '\r', '9', '\r']);
  expect(again.stdin.read()).toEqual(Buffer.from('7'));
});

test('a question that draws nothing after a Return gets the next keys after a while', async () => {
  const { type, drawn, settle, got } = promptAtTerminal();
  drawn(false);
  await settle();
  await type('\r\r');
  await settle();
  expect(got).toEqual(['\r']);
  await settle(true);
  expect(got).toEqual(['\r', '\r']);
});
