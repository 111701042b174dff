import { startPostgres } from './test/support/postgres-server.js';
const t=Date.now(); const s = await startPostgres(true); console.log(Date.now()-t, s.urlOf('postgres'));
await new Promise(r=>setTimeout(r, 3600_000));
