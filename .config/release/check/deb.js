// Checks the .deb: lintian, the unit, and its installation, upgrade, removal and purge while a server is used.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here, names, output, owner } from '../places.js';
import { run, say, shell } from '../run.js';
import { withCleanRoot } from './clean-root.js';
import { checkTour } from './tour.js';

const highestExposure = 2.0;
/** Until the owner has filled in an address. */
const withoutAddress = ['--suppress-tags', 'bogus-mail-host,bogus-mail-host-in-debian-changelog'];

function checkUnit() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-unit-'));
  try {
    // An instance, whose program exists here.
    shell(
      'sed "s#/usr/bin/petstore#/bin/true#; s#%i#shop#g" "$UNIT" > petstore@shop.service; systemd-analyze verify --man=no ./petstore@shop.service',
      folder,
      {
        UNIT: join(here, 'deb/petstore@.service'),
      },
    );
    const lines = run('systemd-analyze', ['security', '--offline=yes', '--no-pager', join(folder, 'petstore@shop.service')]);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(lines)?.[1]);
    if (!(exposure <= highestExposure)) throw new Error(`systemd-analyze security gives ${exposure}; ${highestExposure} is allowed.`);
    return exposure;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bash that starts the command line of the unit by hand: systemd is not the first process of a clean root. */
const startServer = `
start() {
  HOME=/var/lib/petstore PETSTORE_STORE=/var/lib/petstore/shop.db setpriv --reuid=petstore --regid=petstore --clear-groups $(sed -n 's/^ExecStart=\\(.*\\) \\$SERVE_FLAGS$/\\1/p' /usr/lib/systemd/system/petstore@.service) > /dev/null 2>> /root/serve.log &
  server=$!
}
ready() { until curl -sf http://127.0.0.1:8080/livez > /dev/null; do sleep 0.01; done; }
as_petstore() { HOME=/var/lib/petstore setpriv --reuid=petstore --regid=petstore --clear-groups petstore --store /var/lib/petstore/shop.db "$@"; }
`;

/** Places orders as fast as they are answered until /root/stop exists; counts the acknowledged ones. */
const load = `
place_orders() {
  acknowledged=0
  until [ -e /root/stop ]; do
    if curl -sf -X POST http://127.0.0.1:8080/store/orders -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"petId":3,"quantity":1}' > /dev/null; then
      acknowledged=$((acknowledged + 1))
    else
      sleep 0.01
    fi
  done
  echo $acknowledged > /root/acknowledged
}
`;

const upgrade = `${startServer}${load}
export PETSTORE_ACTOR=ana
as_petstore init --sample > /dev/null
as_petstore inventory set 3 1000000 --yes > /dev/null
token=$(as_petstore token create till --scope admin --format json | sed -n 's/.*"token": *"\\([^"]*\\)".*/\\1/p')
start; ready
before=$(as_petstore order list --pet 3 --open --format count)
place_orders & client=$!
sleep 1
# Under load the package is installed over itself; after that its script restarts the server, here by hand.
dpkg -i /root/petstore.deb > /dev/null 2>&1
curl -sf http://127.0.0.1:8080/livez > /dev/null
stopped=$(date +%s%3N)
kill -TERM $server; wait $server
start; ready
started=$(date +%s%3N)
sleep 1
touch /root/stop; wait $client
after=$(as_petstore order list --pet 3 --open --format count)
acknowledged=$(cat /root/acknowledged)
[ $acknowledged -gt 0 ] && [ $((after - before)) -ge $acknowledged ]
echo "upgrade under load: $acknowledged orders acknowledged, $((after - before)) in the shop, away for $((started - stopped)) ms"
as_petstore doctor | tail -n 1
kill -TERM $server; wait $server
`;

const removal = `
dpkg -r petstore > /dev/null
[ -e /var/lib/petstore/shop.db ] && ! command -v petstore
dpkg -P petstore | grep 'shops are left in /var/lib/petstore'
[ -e /var/lib/petstore/shop.db ]
[ "$(find / -xdev -path /proc -prune -o -name '*petstore*' ! -path '/root/*' ! -path '/tour*' ! -path '/home/*' ! -path '/var/lib/petstore' -print)" = "" ]
`;

export async function checkDeb() {
  const file = join(output, names.deb);
  run('lintian', ['--fail-on', 'error', ...(owner.maintainer === '' ? withoutAddress : []), '--allow-root', file], { stdio: 'inherit' });
  say(`  lintian: no errors; systemd-analyze verify: valid; systemd-analyze security: ${checkUnit()}`);
  await withCleanRoot((inRoot, folder) => {
    run('cp', [file, join(folder, 'root/petstore.deb')]);
    say(
      `  ${inRoot('cd /root; apt-get install -qq -y ./petstore.deb > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }; petstore --version; stat -c "%U %a %n" /var/lib/petstore; man -w petstore').trim().replaceAll('\n', ', ')}`,
    );
    say(`  ${checkTour(inRoot, folder, '/usr')} commands of README.md print what it shows`);
    say(`  ${inRoot(upgrade).trim().replaceAll('\n', '; ')}`);
    say(`  ${inRoot(removal).trim()}`);
  });
}
