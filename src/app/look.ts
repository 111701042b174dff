import { driverFor } from '../storage/sqlite/driver.js';
import { findProblem } from '../storage/sqlite/maintenance/first-look.js';

/** What the process is asked. */
interface LookRequest {
  readonly path: string;
  readonly waitSeconds: number;
  readonly nativeBinding: string | undefined;
}

async function look({ path, nativeBinding, waitSeconds }: LookRequest): Promise<void> {
  const problem = await findProblem(path, { waitSeconds, nativeBinding, driver: await driverFor(nativeBinding) });
  process.stdout.write(problem ?? '');
}

// Looks at the file that its argument names, and writes what is wrong with it. The process that started it may kill it.
void look(JSON.parse(process.argv[2] ?? '{}') as LookRequest);
