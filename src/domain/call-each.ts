import * as v from 'valibot';
import { performs } from './operation.js';

/** The most inputs of one request. */
export const maximumInputs = 10_000;

/** Asks one changing operation for several inputs in one transaction, all of them or none; the door performs it by `callEach`. */
export const callEach = performs({
  id: 'callEach',
  summary: 'Ask an operation several times in one transaction',
  tag: 'Store',
  stability: 'experimental',
  method: 'POST',
  path: '/store/calls',
  status: 200,
  input: v.strictObject({
    body: v.strictObject({
      operation: v.pipe(v.string('must be a text'), v.maxLength(50, 'must be the id of an operation')),
      inputs: v.pipe(
        v.array(v.record(v.string(), v.unknown(), 'must be an input of the operation'), 'must be a list'),
        v.maxLength(maximumInputs, `must be at most ${maximumInputs} inputs`),
      ),
    }),
  }),
  output: v.array(v.looseObject({})),
});
