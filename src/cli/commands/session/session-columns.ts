import type { ListedSession } from '../../../domain/sessions/session-keeper.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import { listTime } from '../../output/time-text.js';
import type { Columns } from '../../output/view.js';

function timeColumn(name: 'createdAt' | 'expiresAt', heading: string) {
  return {
    name,
    heading,
    value: ({ [name]: at }: ListedSession) => at,
    text: ({ [name]: at }: ListedSession, now: number, zone: TimeZone) => listTime(at, now, zone),
  };
}

const fields = ['id', 'name', 'holder', 'createdAt', 'expiresAt'];

/** The columns of sessions. */
export const sessionColumns: Columns<ListedSession> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'holder', heading: 'Signed in with', value: ({ holder }) => holder, text: ({ holder }) => (holder === 'token' ? 'a token' : 'serve --open') },
    timeColumn('createdAt', 'Since'),
    timeColumn('expiresAt', 'Expires'),
  ],
  shown: fields,
  json: fields,
  id: 'id',
};
